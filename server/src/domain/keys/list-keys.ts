import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { mayManageKeysOf } from './change-keys.ts';
import type { Key } from './key.ts';
import { selectKeys } from './keys.sql.ts';

const endedShownMs = 30 * 86_400_000;
const mostListed = 100;

/** A user's keys that work, then those that ended within the last thirty days; newest first. */
export async function listKeys(ctx: Context, userId: string): Promise<Key[]> {
  if (!mayManageKeysOf(ctx, userId)) throw notFound('user');
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - endedShownMs);
  return selectKeys(ctx.db, userId, { now, since, limit: mostListed });
}
