import { endedKeyDays } from '../../../lib/limits.ts';
import type { Context } from '../../foundation/context.ts';
import { requireSelf } from '../../foundation/principal.ts';
import { type Key, maxListedKeys } from './key.ts';
import { selectKeys } from './keys.sql.ts';

const endedShownMs = endedKeyDays * 86_400_000;

/** Lists a user's active keys, then those that have ended recently; newest first. */
export async function listKeys(ctx: Context, userId: string): Promise<Key[]> {
  requireSelf(ctx, userId);
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - endedShownMs);
  return selectKeys(ctx.db, userId, { now, since, limit: maxListedKeys });
}
