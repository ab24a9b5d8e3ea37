import { createHmac } from 'node:crypto';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { countAttempt, uncountAttempt } from './attempts.sql.ts';

/** So many attempts of one kind in a window, which begins with the first of them. */
export interface AttemptLimit {
  /** Tells what it counts from what others count; never changed while windows are open. */
  readonly name: string;
  readonly most: number;
  readonly windowMs: number;
}

/** A limit, and on whom: a network, an address, or both. */
export type Attempt = readonly [limit: AttemptLimit, ...whom: string[]];

/**
 * Counts one more, or refuses. It is counted before it is carried out, in one statement, so that
 * many at once, here and in other processes, are no way round. Not for within a transaction: a
 * refusal would take the count back with it.
 */
export async function takeAttempt(ctx: Context, [limit, ...whom]: Attempt): Promise<void> {
  const now = ctx.clock.now();
  const { count, windowEndsAt } = await countAttempt(ctx.db, bucketOf(ctx, limit, whom), {
    now,
    windowEndsAt: new Date(now.getTime() + limit.windowMs),
  });
  if (count <= limit.most) return;
  const retryAfterSeconds = Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1_000);
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const message = `There were too many attempts. Try again in ${wait}.`;
  throw new DomainError('rate_limited', message, { retryAfterSeconds });
}

/** Takes one back that turned out to be rightful. */
export async function giveAttemptBack(ctx: Context, [limit, ...whom]: Attempt): Promise<void> {
  await uncountAttempt(ctx.db, bucketOf(ctx, limit, whom));
}

function bucketOf(ctx: Context, limit: AttemptLimit, whom: readonly string[]): Buffer {
  return tagOf(ctx, limit.name, ...whom);
}

/** What a row may hold in the place of a network or an address: it tells one from another, only. */
export function tagOf(ctx: Context, ...parts: string[]): Buffer {
  return createHmac('sha256', ctx.installation.tagKey).update(JSON.stringify(parts)).digest();
}
