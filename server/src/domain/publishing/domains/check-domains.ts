import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { checkNow } from './check-domain.ts';
import { mostClockDifferenceMs } from './domain.ts';
import { selectDomain, selectDomainsToCheck } from './domains.sql.ts';
import { lookUpTarget } from './look-up-records.ts';

/** A little less than an hour, so that each run checks all of the run before. */
const checkAgainMs = 55 * 60_000;
const usualBatchSize = 200;
const atOnce = 20;

/**
 * Checks all domains that were not checked in this hour, those that got no response the last time after all
 * others. Ends early if a whole batch got none: then the name servers are away, and waiting for them for each
 * domain would take hours. The next run begins with the domains that were left.
 */
export async function checkDomains(
  ctx: Context,
  signal: AbortSignal,
  { batchSize = usualBatchSize } = {},
): Promise<{ readonly checked: number; readonly failed: number }> {
  const { dns, installation, db, log } = ctx;
  let [checked, failed] = [0, 0];
  while (!signal.aborted) {
    const nowMs = ctx.clock.now().getTime();
    const triedBefore = new Date(nowMs - checkAgainMs);
    const triedAfter = new Date(nowMs + mostClockDifferenceMs);
    const due = await selectDomainsToCheck(db, { triedBefore, triedAfter }, batchSize);
    if (due.length === 0) break;
    const target = await lookUpTarget(dns, installation.domainTarget);
    if (target === undefined) {
      log.warn({ target: installation.domainTarget }, 'DOMAIN_TARGET has no addresses now');
      break;
    }
    const failedBefore = failed;
    const waiting = due.values();
    const work = async () => {
      for (const { podcastId } of waiting) {
        if (signal.aborted) return;
        if (await checkOne(ctx, podcastId, target)) checked += 1;
        else failed += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (failed - failedBefore === due.length) {
      log.warn({ failed }, 'the name servers do not respond, so domains were not checked');
      break;
    }
  }
  return { checked, failed };
}

/** Returns whether there were responses. */
async function checkOne(
  ctx: Context,
  podcastId: string,
  target: ReadonlySet<string>,
): Promise<boolean> {
  const domain = await selectDomain(ctx.db, podcastId);
  if (domain === undefined) return true;
  try {
    const { checkedAt, triedAt } = await checkNow(ctx, domain, target);
    return checkedAt?.getTime() === triedAt?.getTime();
  } catch (error) {
    // It was removed in the meantime.
    if (error instanceof DomainError && error.kind === 'not_found') return true;
    throw error;
  }
}
