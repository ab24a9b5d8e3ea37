import { deleteEndedAttempts } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { defineJob } from '../job.ts';
import { deleteEndedOffers } from '../podcasts/index.ts';
import { deleteEndedLinks } from './email-links.sql.ts';
import { deleteEndedSessions } from './sessions.sql.ts';

export const purgeEndedJob = defineJob({
  name: 'purge-ended',
  timeoutSeconds: 300,
  run: (ctx) => purgeEnded(ctx),
});

/** Deletes expired rows. */
export async function purgeEnded(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await deleteEndedSessions(ctx.db, now);
  await deleteEndedLinks(ctx.db, now);
  await deleteEndedOffers(ctx.db, now);
  await deleteEndedAttempts(ctx.db, now);
}
