import { getUserByEmail } from '../domain/accounts/index.ts';
import { listKeys } from '../domain/keys/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { presentKey } from './present.ts';

export const keyList = defineAppCommand({
  name: 'key list',
  about: "Lists a user's API keys.",
  notes: 'Those that work, and those that ended within the last thirty days; never their secrets.',
  operands: { email: { about: 'the user' } },
  async run({ ctx }, { email }, io) {
    const { id } = await getUserByEmail(ctx, email);
    printJson(io, { keys: (await listKeys(ctx, id)).map(presentKey) });
  },
});
