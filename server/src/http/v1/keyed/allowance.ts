import type { FastifyReply } from 'fastify';
import { accountRequestsPerMinute, getPlan } from '../../../domain/accounts/index.ts';
import type { Caller, GrantedAccess } from '../../../domain/keys/index.ts';
import { type FieldItem, formatFieldList } from '../../../lib/structured-field.ts';
import { HttpError } from '../../errors.ts';
import type { Web } from '../../web.ts';

const windowSeconds = 60;

interface Allowance {
  /** How the headers call it. */
  readonly bucket: 'account' | 'plan';
  /** Whose it is. */
  readonly owner: string;
  readonly quota: number;
}

/** One request of the user's allowance. Throws 429 where none is left. */
export function takeFromAccount(web: Web, reply: FastifyReply, { userId }: Caller): Promise<void> {
  const quota = accountRequestsPerMinute;
  return take(web, reply, { bucket: 'account', owner: userId, quota });
}

/** One of those that the podcast's plan has for all who read its podcasts. */
export function takeFromPlan(web: Web, reply: FastifyReply, access: GrantedAccess): Promise<void> {
  const quota = getPlan(access.plan).requestsPerMinute;
  if (quota === undefined) throw new Error(`the plan ${access.plan} has no API`);
  return take(web, reply, { bucket: 'plan', owner: access.accountId, quota });
}

/** What is left of it stands on the answer from then on, whatever that turns out to be. */
async function take(web: Web, reply: FastifyReply, allowance: Allowance): Promise<void> {
  const { bucket, owner, quota } = allowance;
  const nowMs = web.ctx.clock.now().getTime();
  const taken = await web.allowances.take(`${bucket}:${owner}`, quota, nowMs);
  const resetsInSeconds = Math.ceil(taken.resetsInMs / 1000);
  addItem(reply, 'RateLimit-Policy', { token: bucket, parameters: { q: quota, w: windowSeconds } });
  addItem(reply, 'RateLimit', {
    token: bucket,
    parameters: { r: taken.remaining, t: resetsInSeconds },
  });
  if (taken.allowed) return;
  throw new HttpError({
    status: 429,
    code: 'rate_limited',
    message:
      bucket === 'account'
        ? `Your keys have made ${quota} requests in this minute.`
        : `The plan of this podcast allows ${quota} requests a minute.`,
    headers: { 'Retry-After': String(resetsInSeconds) },
  });
}

function addItem(reply: FastifyReply, header: string, item: FieldItem): void {
  const before = reply.getHeader(header);
  const text = formatFieldList([item]);
  reply.header(header, before === undefined ? text : `${before}, ${text}`);
}
