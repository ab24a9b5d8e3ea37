import {
  createKey,
  type ExpiryDays,
  getKey,
  type KeyPodcasts,
  listKeys,
  revokeKey,
} from '../domain/access/keys/index.ts';
import { getUserByEmail } from '../domain/foundation/accounts/index.ts';
import type { Context } from '../domain/foundation/context.ts';
import { type Scope, userScopes } from '../domain/foundation/enumerations.ts';
import { printJson } from './command-io.ts';
import type { KeyRuns } from './key-commands.ts';
import { getPodcastByRef, readChoice, readKeyId, readListOption } from './option-values.ts';
import { printedKey } from './present.ts';

export const create: KeyRuns['create'] = async (
  { ctx },
  { email, name = 'Command line', scopes, podcasts, expiresInDays },
  io,
) => {
  const user = await getUserByEmail(ctx, email);
  const { key, secret } = await createKey(ctx, {
    userId: user.id,
    name,
    scopes: readScopes(scopes),
    podcasts: await readPodcasts(ctx, podcasts),
    expiresInDays: Number(expiresInDays ?? 90) as ExpiryDays,
  });
  printJson(io, { ...printedKey(key), secret });
};

async function readPodcasts(ctx: Context, text: string | undefined): Promise<KeyPodcasts> {
  if (text === undefined || text === 'all') return 'all';
  const podcasts = readListOption(text).map((ref) => getPodcastByRef(ctx, ref));
  // A show may be named twice, by a current and a former slug.
  return [...new Set((await Promise.all(podcasts)).map(({ id }) => id))];
}

function readScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return userScopes;
  return readListOption(text).map((scope) => readChoice('a scope', scope, userScopes));
}

export const list: KeyRuns['list'] = async ({ ctx }, { email }, io) => {
  const { id } = await getUserByEmail(ctx, email);
  printJson(io, { keys: (await listKeys(ctx, id)).map(printedKey) });
};

export const revoke: KeyRuns['revoke'] = async ({ ctx }, { id }, io) => {
  const keyId = readKeyId(id);
  await revokeKey(ctx, keyId);
  printJson(io, printedKey(await getKey(ctx, keyId)));
};
