import { type AttemptLimit, secondsUntilAttempt } from '../../../foundation/accounts/index.ts';
import type { Context } from '../../../foundation/context.ts';
import { hostnameOf } from '../webhook-url.ts';
import type { WebhookClaim } from './queue.sql.ts';

/** The most requests in a minute to one host, at any of its ports, from all processes. */
export interface DeliveryRate {
  /** Of one show. */
  readonly perShow: number;
  /** Of all shows of an account, so that one can't use up what others need. */
  readonly perAccount: number;
  /** Of all shows: many have webhooks at the same few hosts, and none may use up their share. */
  readonly perHost: number;
}

export const usualDeliveryRate: DeliveryRate = { perShow: 60, perAccount: 120, perHost: 300 };

const windowMs = 60_000;

/**
 * Counts a request to the webhook's host. Undefined: it may be sent. Otherwise when the next may be.
 * Processes share the counters, which are in the database.
 */
export async function timeOfNextRequest(
  ctx: Context,
  { podcastId, accountId, host }: Pick<WebhookClaim, 'podcastId' | 'accountId' | 'host'>,
  { perShow, perAccount, perHost }: DeliveryRate,
): Promise<Date | undefined> {
  const name = hostnameOf(host);
  const ofShow: AttemptLimit = { name: 'webhooks-show', most: perShow, windowMs };
  const ofAccount: AttemptLimit = { name: 'webhooks-account', most: perAccount, windowMs };
  const ofAll: AttemptLimit = { name: 'webhooks-host', most: perHost, windowMs };
  const seconds =
    (await secondsUntilAttempt(ctx, [ofShow, podcastId, name])) ??
    (await secondsUntilAttempt(ctx, [ofAccount, accountId, name])) ??
    (await secondsUntilAttempt(ctx, [ofAll, name]));
  return seconds === undefined ? undefined : new Date(ctx.clock.now().getTime() + seconds * 1_000);
}
