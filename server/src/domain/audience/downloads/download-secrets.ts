import { randomBytes } from 'node:crypto';
import type { UtcDay } from '../../../lib/utc-day.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { isOpen, openDays } from './days.ts';
import { createSecretPartition } from './partitions.sql.ts';
import { findSecret, insertDownloadSecret } from './secrets.sql.ts';
import { lockSums } from './sums/sums.sql.ts';

/**
 * The secret of an open day, 32 bytes, the same in every process. It is made when it is first asked
 * for. Throws RangeError for a day that is closed: its secret is destroyed.
 */
export async function secretForDay(ctx: Context, day: UtcDay): Promise<Buffer> {
  const days = openDays(ctx.clock.now());
  if (!isOpen(day, days)) throw new RangeError(`${day} has no secret any more, or not yet`);
  return await getSecret(ctx, day);
}

/**
 * The secret that the logs begun on a day share for days that are over. It is destroyed with that of
 * the day itself.
 */
export async function secretForLogs(ctx: Context, begunOn: UtcDay): Promise<Buffer> {
  return await getSecret(ctx, `log:${begunOn}`);
}

async function getSecret(ctx: Context, name: string): Promise<Buffer> {
  const known = await findSecret(ctx.db, name);
  if (known !== undefined) return known;
  return await transact(ctx, async (tx) => {
    await lockSums(tx.db);
    // Another process may have been first.
    const meanwhile = await findSecret(tx.db, name);
    if (meanwhile !== undefined) return meanwhile;
    await createSecretPartition(tx.db, name);
    return await insertDownloadSecret(tx.db, name, randomBytes(32));
  });
}
