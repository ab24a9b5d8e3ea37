import { getUserByEmail } from '../domain/accounts/index.ts';
import type { Context } from '../domain/context.ts';
import {
  createKey,
  type ExpiryDays,
  expiryChoicesDays,
  type KeyPodcasts,
  type Scope,
  userScopes,
} from '../domain/keys/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import { readChoice, readList } from './option-values.ts';
import { presentKey } from './present.ts';

export const keyCreate = defineAppCommand({
  name: 'key create',
  about: 'Makes an API key for a user.',
  notes: [
    'Prints it with its secret, which nobody can show again: only a hash of it is kept. The user',
    'is told by letter. At most ten keys of a user work at a time.',
  ].join('\n'),
  operands: { email: { about: 'the user' } },
  options: {
    name: { value: 'NAME', about: 'what the key is for; default "Command line"' },
    scopes: { value: 'SCOPES', about: `default all of ${userScopes.join(',')}` },
    podcasts: { value: 'PODCASTS', about: 'slugs or ids, with commas between; default all' },
    expiresInDays: {
      value: 'DAYS',
      about: 'default 90',
      choices: expiryChoicesDays.map(String),
    },
  },
  async run({ ctx }, { email, name = 'Command line', scopes, podcasts, expiresInDays }, io) {
    const user = await getUserByEmail(ctx, email);
    const { key, secret } = await createKey(ctx, {
      userId: user.id,
      name,
      scopes: readScopes(scopes),
      podcasts: await readPodcasts(ctx, podcasts),
      expiresInDays: Number(expiresInDays ?? 90) as ExpiryDays,
    });
    printJson(io, { ...presentKey(key), secret });
  },
});

async function readPodcasts(ctx: Context, text: string | undefined): Promise<KeyPodcasts> {
  if (text === undefined || text === 'all') return 'all';
  const podcasts = readList(text).map((ref) => getPodcastByRef(ctx, ref));
  return (await Promise.all(podcasts)).map(({ id }) => id);
}

function readScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return userScopes;
  return readList(text).map((scope) => readChoice('a scope', scope, userScopes));
}
