import { getUserByEmail } from '../domain/accounts/index.ts';
import { createUnregisteredSiteKey } from '../domain/sites/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import type { SiteKeyCreate } from './site-commands.ts';

export const run: RunOnApp<SiteKeyCreate> = async (
  { ctx },
  { email, podcast, podcasts, transcripts },
  io,
) => {
  const user = await getUserByEmail(ctx, email);
  const named = [...podcast, ...podcasts].map((ref) => getPodcastByRef(ctx, ref));
  const key = await createUnregisteredSiteKey(ctx, {
    userId: user.id,
    podcastIds: (await Promise.all(named)).map(({ id }) => id),
    transcripts,
  });
  printJson(io, { key_id: key.id, secret: key.secret, expires_at: key.expiresAt });
};
