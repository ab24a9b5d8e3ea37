import { isUniqueViolation } from '../../../platform/database/sql-errors.ts';
import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { notFound, requireFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { revise } from '../../foundation/revisions/index.ts';
import { lockPodcast } from '../podcasts/index.ts';
import { heldMs, mostClockDifferenceMs, mostMisses, type OwnDomain } from './domain.ts';
import {
  type CheckedDomain,
  freeLostDomain,
  isHeldByOther,
  selectDomain,
  updateDomain,
} from './domains.sql.ts';
import { lookUpRecords, lookUpTarget, type Verdict } from './look-up-records.ts';

/** Each check asks several name servers. The operator has no limit. */
const checksOfPodcast: AttemptLimit = { name: 'domain-checks', most: 30, windowMs: 600_000 };

/** Counts a check that a person has requested. */
export async function limitChecks(ctx: Context, podcastId: string): Promise<void> {
  if (ctx.principal.kind === 'user') await consumeAttempt(ctx, [checksOfPodcast, podcastId]);
}

/** Asks the name servers now. Rate-limited for people. */
export async function checkDomain(ctx: Context, podcastId: string): Promise<OwnDomain> {
  await authorize(ctx, 'domain.manage', { podcastId });
  const domain = requireFound(await selectDomain(ctx.db, podcastId), 'domain');
  await limitChecks(ctx, podcastId);
  return await checkNow(ctx, domain);
}

/** The same for a domain that was just read; `target`: its addresses, if they are known. */
export async function checkNow(
  ctx: Context,
  domain: CheckedDomain,
  target?: ReadonlySet<string>,
): Promise<CheckedDomain> {
  const begunAt = ctx.clock.now();
  const places = target ?? (await lookUpTarget(ctx.dns, ctx.installation.domainTarget));
  const verdict = places && (await lookUpRecords(ctx.dns, domain, places));
  const { podcastId, host } = domain;
  try {
    return await transact(ctx, (tx) => applyVerdict(tx, domain, { verdict, begunAt }));
  } catch (error) {
    if (!isUniqueViolation(error, 'podcast_domains_held')) throw error;
    // Another show was verified at this moment.
    ctx.log.info({ podcastId, host }, 'two shows were verified for one domain: the first has it');
    return await transact(ctx, (tx) => applyVerdict(tx, domain, { verdict, begunAt }));
  }
}

async function applyVerdict(
  tx: Context,
  { podcastId, host }: CheckedDomain,
  { verdict, begunAt }: { readonly verdict: Verdict; readonly begunAt: Date },
): Promise<CheckedDomain> {
  // Like `setDomain`: the podcast first.
  await lockPodcast(tx.db, podcastId);
  const domain = await selectDomain(tx.db, podcastId, { locked: true });
  if (domain === undefined) throw notFound('domain');
  // Somebody has set another one, or a later check was faster.
  if (domain.host !== host || isLater(domain.checkedAt, begunAt, tx.clock.now())) return domain;
  const changes = await changesBy(tx, domain, verdict, begunAt);
  const state = changes.state ?? domain.state;
  const isServed = state === 'verified';
  if (isServed !== (domain.state === 'verified')) {
    await revise(tx, { podcastId }, ['domain']);
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
    tx.log.info({ podcastId, host, state }, 'the state of a domain has changed');
  }
  await updateDomain(tx.db, podcastId, changes);
  return { ...domain, ...changes };
}

/** The states of DOMAIN-1, DOMAIN-3 and DOMAIN-5. */
async function changesBy(
  tx: Context,
  { podcastId, host, state, misses }: CheckedDomain,
  verdict: Verdict,
  begunAt: Date,
): Promise<Partial<CheckedDomain>> {
  // What can't be found out changes nothing.
  if (verdict === undefined) return { triedAt: begunAt };
  const { found, isRight } = verdict;
  const checked = { found, checkedAt: begunAt, triedAt: begunAt, taken: false };
  if (isRight) {
    await freeLostDomain(tx.db, host, new Date(begunAt.getTime() - heldMs));
    if (await isHeldByOther(tx.db, host, podcastId)) return { ...checked, taken: true };
    return { ...checked, state: 'verified', held: true, misses: 0, lostAt: null };
  }
  if (state !== 'verified') return checked;
  if (misses + 1 < mostMisses) return { ...checked, misses: misses + 1 };
  return { ...checked, misses: 0, state: 'lost', lostAt: begunAt };
}

/** Whether another check began later; a time of the future is from before the clock was set back. */
const isLater = (time: Date | null, begunAt: Date, now: Date): boolean =>
  time !== null && time > begunAt && time.getTime() <= now.getTime() + mostClockDifferenceMs;
