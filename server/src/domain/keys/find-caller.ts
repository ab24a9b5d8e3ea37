import { timingSafeEqual } from 'node:crypto';
import { hashApiKey } from '../../lib/api-key.ts';
import type { Context } from '../context.ts';
import type { Caller, Target } from './caller.ts';
import { selectCaller } from './callers.sql.ts';

/**
 * Whose key this is, and what stands between it and the target: one statement, asked anew with
 * every request, so that whatever was taken away is gone with the next. Undefined for a key that
 * is unknown, revoked or expired.
 */
export async function findCaller(
  ctx: Context,
  key: string,
  target?: Target,
): Promise<Caller | undefined> {
  const hash = hashApiKey(key);
  const found = await selectCaller(ctx.db, hash, target, ctx.clock.now());
  return found !== undefined && timingSafeEqual(found.hash, hash) ? found.caller : undefined;
}
