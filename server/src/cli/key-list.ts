import { getUserByEmail } from '../domain/accounts/index.ts';
import { listKeys } from '../domain/keys/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { KeyList } from './key-commands.ts';
import { presentKey } from './present.ts';

export const run: RunOnApp<KeyList> = async ({ ctx }, { email }, io) => {
  const { id } = await getUserByEmail(ctx, email);
  printJson(io, { keys: (await listKeys(ctx, id)).map(presentKey) });
};
