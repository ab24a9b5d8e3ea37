import type { FastifyReply } from 'fastify';
import { accountRequestsPerMinute } from '../../../domain/accounts/index.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { PlanQuota } from '../../../domain/permissions/index.ts';
import type { KeyPrincipal } from '../../../domain/principal.ts';
import { type FieldItem, formatFieldList } from '../../../lib/structured-field.ts';
import { quotaWindowMs } from '../../../platform/rate-limiter/quotas.ts';
import type { HttpContext } from '../../http-context.ts';

const windowSeconds = quotaWindowMs / 1000;

interface Quota {
  /** Its name in the headers. */
  readonly bucket: 'account' | 'plan';
  /** The id of the account or user it belongs to. */
  readonly owner: string;
  readonly limit: number;
}

/** Consumes one request of the user's quota. Throws 429 if none is left. */
export function consumeFromAccount(
  http: HttpContext,
  reply: FastifyReply,
  { userId }: KeyPrincipal,
): Promise<void> {
  const limit = accountRequestsPerMinute;
  return consume(http, reply, { bucket: 'account', owner: userId, limit });
}

/**
 * Consumes one request of the plan's quota, which all readers of the account's podcasts share.
 * Throws 429 if none is left.
 */
export function consumeFromPlan(
  http: HttpContext,
  reply: FastifyReply,
  { accountId, requestsPerMinute }: PlanQuota,
): Promise<void> {
  return consume(http, reply, { bucket: 'plan', owner: accountId, limit: requestsPerMinute });
}

/** Every answer from here on states what is left, whatever its status. */
async function consume(http: HttpContext, reply: FastifyReply, quota: Quota): Promise<void> {
  const { bucket, owner, limit } = quota;
  const nowMs = http.ctx.clock.now().getTime();
  const taken = await http.quotas.consume(`${bucket}:${owner}`, limit, nowMs);
  const resetsInSeconds = Math.ceil(taken.resetsInMs / 1000);
  addItem(reply, 'RateLimit-Policy', { token: bucket, parameters: { q: limit, w: windowSeconds } });
  addItem(reply, 'RateLimit', {
    token: bucket,
    parameters: { r: taken.remaining, t: resetsInSeconds },
  });
  if (taken.allowed) return;
  const message =
    bucket === 'account'
      ? `Your keys have made ${limit} requests in this minute.`
      : `The plan of this podcast allows ${limit} requests a minute.`;
  throw new DomainError('rate_limited', message, { retryAfterSeconds: resetsInSeconds });
}

function addItem(reply: FastifyReply, header: string, item: FieldItem): void {
  const before = reply.getHeader(header);
  const text = formatFieldList([item]);
  reply.header(header, before === undefined ? text : `${before}, ${text}`);
}
