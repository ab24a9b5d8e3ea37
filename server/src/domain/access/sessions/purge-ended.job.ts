import { deleteEndedAttempts } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { defineJob } from '../../foundation/job.ts';
import { deleteEndedOffers } from '../../publishing/podcasts/index.ts';
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
