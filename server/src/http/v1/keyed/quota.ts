import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountRequestsPerMinute } from '../../../domain/foundation/accounts/index.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { PlanQuota } from '../../../domain/foundation/permissions/index.ts';
import type { KeyPrincipal } from '../../../domain/foundation/principal.ts';
import { formatFieldItem } from '../../../lib/structured-field.ts';
import { quotaWindowMs, type Taken } from '../../../platform/rate-limiter/quotas.ts';
import type { HttpContext } from '../../http-context.ts';
import { HttpError, type HttpFailure } from '../../http-errors.ts';
import type { SpentQuota } from '../../limits/spent-quotas.ts';
import { keyIn } from '../../requests/authenticate-key.ts';

const windowSeconds = quotaWindowMs / 1000;

interface Quota {
  /** Its name in the headers. */
  readonly bucket: 'account' | 'plan';
  /** The id of the account or user it belongs to. */
  readonly owner: string;
  readonly limit: number;
}

/**
 * Consumes one request of the user's quota. Throws 429 if none is left, and remembers that for the
 * next requests with the key.
 */
export async function consumeFromAccount(
  http: HttpContext,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { userId }: KeyPrincipal,
): Promise<void> {
  const limit = accountRequestsPerMinute;
  const taken = await consume(http, reply, { bucket: 'account', owner: userId, limit });
  if (taken.allowed) return;
  const nowMs = http.ctx.clock.now().getTime();
  const spent = { limit, endsAtMs: nowMs + taken.resetsInMs };
  http.spentQuotas.note(keyIn(headers), spent, nowMs);
  throw new HttpError(refuseSpent(spent, nowMs));
}

/** The refusal of a key whose user has no requests left, with the headers that state it. */
export function refuseSpent({ limit, endsAtMs }: SpentQuota, nowMs: number): HttpFailure {
  const taken = { remaining: 0, resetsInMs: endsAtMs - nowMs };
  const { policy, state, resetsInSeconds } = describe({ bucket: 'account', limit }, taken);
  return {
    status: 429,
    code: 'rate_limited',
    message: `Your keys have made ${limit} requests this minute.`,
    headers: {
      'RateLimit-Policy': policy,
      RateLimit: state,
      'Retry-After': String(resetsInSeconds),
    },
  };
}

/**
 * Consumes one request of the plan's quota, which all readers of the account's podcasts share.
 * Throws 429 if none is left.
 */
export async function consumeFromPlan(
  http: HttpContext,
  reply: FastifyReply,
  { accountId, requestsPerMinute: limit }: PlanQuota,
): Promise<void> {
  const taken = await consume(http, reply, { bucket: 'plan', owner: accountId, limit });
  if (taken.allowed) return;
  const message = `The plan of this podcast allows ${limit} requests a minute.`;
  const retryAfterSeconds = Math.ceil(taken.resetsInMs / 1000);
  throw new DomainError('rate_limited', message, { retryAfterSeconds });
}

/** Every response from here on states what is left, whatever its status. */
async function consume(http: HttpContext, reply: FastifyReply, quota: Quota): Promise<Taken> {
  const { bucket, owner, limit } = quota;
  const nowMs = http.ctx.clock.now().getTime();
  const taken = await http.quotas.consume(`${bucket}:${owner}`, limit, nowMs);
  const { policy, state } = describe(quota, taken);
  addItem(reply, 'RateLimit-Policy', policy);
  addItem(reply, 'RateLimit', state);
  return taken;
}

function describe(
  { bucket: token, limit }: Pick<Quota, 'bucket' | 'limit'>,
  { remaining, resetsInMs }: Pick<Taken, 'remaining' | 'resetsInMs'>,
) {
  const resetsInSeconds = Math.ceil(resetsInMs / 1000);
  return {
    policy: formatFieldItem({ token, parameters: { q: limit, w: windowSeconds } }),
    state: formatFieldItem({ token, parameters: { r: remaining, t: resetsInSeconds } }),
    resetsInSeconds,
  };
}

function addItem(reply: FastifyReply, header: string, text: string): void {
  const before = reply.getHeader(header);
  reply.header(header, before === undefined ? text : `${before}, ${text}`);
}
