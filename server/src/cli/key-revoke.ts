import { getKey, revokeKey } from '../domain/keys/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { KeyRevoke } from './key-commands.ts';
import { readKeyId } from './option-values.ts';
import { presentKey } from './present.ts';

export const run: RunOnApp<KeyRevoke> = async ({ ctx }, { id }, io) => {
  const keyId = readKeyId(id);
  await revokeKey(ctx, keyId);
  printJson(io, presentKey(await getKey(ctx, keyId)));
};
