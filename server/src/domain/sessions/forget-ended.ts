import { deleteEndedAttempts } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { deleteEndedOffers } from '../podcasts/index.ts';
import { deleteEndedLinks } from './letter-links.sql.ts';
import { deleteEndedSessions } from './sessions.sql.ts';

/** Deletes what has ended by time: nothing reads it any more. */
export async function forgetEnded(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await deleteEndedSessions(ctx.db, now);
  await deleteEndedLinks(ctx.db, now);
  await deleteEndedOffers(ctx.db, now);
  await deleteEndedAttempts(ctx.db, now);
}
