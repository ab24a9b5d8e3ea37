import { createHmac } from 'node:crypto';
import { limitsOfNetwork } from '../../../lib/client-network.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { sayRefusal } from '../refusals.ts';
import { countAttempt } from './accounts.sql.ts';

/** The most attempts of one kind in a window, which begins with the first of them. */
export interface AttemptLimit {
  /** Distinguishes the counters; never changed while windows are open. */
  readonly name: string;
  readonly most: number;
  readonly windowMs: number;
}

/** A limit and whom it applies to: a network, an email address, or both. */
type Attempt = readonly [limit: AttemptLimit, ...whom: string[]];

/**
 * Counts an attempt, or refuses it. It counts first, in one statement, so that parallel requests
 * cannot bypass the limit. Throws inside a transaction, because a refusal would roll the count back.
 */
export async function consumeAttempt(ctx: Context, attempt: Attempt): Promise<void> {
  const retryAfterSeconds = await secondsUntilAttempt(ctx, attempt);
  if (retryAfterSeconds === undefined) return;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const said = minutes === 1 ? sayRefusal('attempts_minute') : sayRefusal('attempts', { minutes });
  throw new DomainError('rate_limited', said, { retryAfterSeconds });
}

/** The same for whoever has another limit when this one is used up. False if it is. */
export async function tryAttempt(ctx: Context, attempt: Attempt): Promise<boolean> {
  return (await secondsUntilAttempt(ctx, attempt)) === undefined;
}

/**
 * The same for what can wait. Undefined if it is within the limit; otherwise when the window ends, in
 * seconds from now.
 */
export async function secondsUntilAttempt(
  ctx: Context,
  [limit, ...whom]: Attempt,
): Promise<number | undefined> {
  if (ctx.db.isTransaction) throw new Error(`${limit.name} is counted inside a transaction`);
  const now = ctx.clock.now();
  const { count: attempts, windowEndsAt } = await countAttempt(ctx.db, bucketOf(ctx, limit, whom), {
    now,
    windowEndsAt: new Date(now.getTime() + limit.windowMs),
  });
  if (attempts <= limit.most) return undefined;
  return Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1_000);
}

/** The same for a client's network, and for its site with a multiple of the limit (`limitsOfNetwork`). */
export async function consumeNetworkAttempt(
  ctx: Context,
  limit: AttemptLimit,
  network: string,
): Promise<void> {
  for (const { key, most } of limitsOfNetwork(network, limit.most)) {
    await consumeAttempt(ctx, [{ ...limit, most }, key]);
  }
}

function bucketOf(ctx: Context, limit: AttemptLimit, whom: readonly string[]): Buffer {
  return tagOf(ctx, limit.name, ...whom);
}

/** An HMAC that stands for a network or an address in a row without revealing it. */
export function tagOf(ctx: Context, ...parts: string[]): Buffer {
  return createHmac('sha256', ctx.installation.tagKey).update(JSON.stringify(parts)).digest();
}
