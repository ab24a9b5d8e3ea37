import type { UtcDay } from '../../../lib/utc-day.ts';
import { getPlan } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { monthOf } from './month.ts';
import { nearShare, selectOverageState } from './overage.sql.ts';
import { findSuspension } from './watch-overage.ts';

/** What an account has used of its plan's downloads in this month, and what follows from it. */
export interface Overage {
  readonly kind: 'downloads_near' | 'downloads_exceeded';
  readonly downloads: number;
  readonly monthlyDownloads: number;
  /** Public shows of the account are suspended for it now. */
  readonly isSuspended: boolean;
  /**
   * When the suspension begins: null if none does in this month. If the limit is near, the earliest
   * time at which it could.
   */
  readonly suspendsAt: Date | null;
  /** The first day of the next month, UTC: the count starts again, and a suspension ends. */
  readonly renewsOn: UtcDay;
}

/** Undefined below 80 % of the plan, where there are no emails either. One statement from there. */
export async function readOverage(
  ctx: Context,
  account: { readonly id: string; readonly plan: string; readonly downloads: number },
): Promise<Overage | undefined> {
  const { downloads } = account;
  const { monthlyDownloads } = getPlan(account.plan);
  if (monthlyDownloads === undefined || downloads < monthlyDownloads * nearShare) return undefined;
  const hasReached = downloads >= monthlyDownloads;
  const now = ctx.clock.now();
  const month = monthOf(now);
  const state = await selectOverageState(ctx.db, account.id, month);
  const suspendsAt = findSuspension(ctx, month, (hasReached ? state.warnedAt : null) ?? now);
  // The operator has resumed the shows if none is suspended after the suspension began.
  const isReleased = state.suspendedAt !== null && !state.hasSuspendedShow;
  return {
    kind: hasReached ? 'downloads_exceeded' : 'downloads_near',
    ...{ downloads, monthlyDownloads, renewsOn: month.next },
    isSuspended: state.hasSuspendedShow,
    suspendsAt: isReleased ? null : (suspendsAt ?? null),
  };
}
