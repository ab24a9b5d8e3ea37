import type { Context } from '../../../foundation/context.ts';
import { requireTrusted } from '../../../foundation/principal.ts';
import { countPings, type PingBacklog } from './queue.sql.ts';

/** Counts the pings that wait, for the whole installation. */
export async function countPingBacklog(ctx: Context): Promise<PingBacklog> {
  requireTrusted(ctx);
  return countPings(ctx.db, ctx.clock.now());
}
