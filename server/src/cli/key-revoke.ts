import { getKey, revokeKey } from '../domain/keys/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { readKeyId } from './option-values.ts';
import { presentKey } from './present.ts';

export const keyRevoke = defineAppCommand({
  name: 'key revoke',
  about: 'Ends an API key for good.',
  notes: 'With the next request, and together with the old secret of a rolled key.',
  operands: { id: { about: 'of the key, as key create and key list print it' } },
  async run({ ctx }, { id }, io) {
    const keyId = readKeyId(id);
    await revokeKey(ctx, keyId);
    printJson(io, presentKey(await getKey(ctx, keyId)));
  },
});
