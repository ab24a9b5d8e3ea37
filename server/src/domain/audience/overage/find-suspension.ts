import { startOfDay } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import type { Month } from './month.ts';

/** From the limit to the suspension. */
export const graceMs = 7 * 86_400_000;

/**
 * When the shows of an account are suspended that exceeds its plan since then. Undefined: not in this
 * month, after which the count starts again, or never on this installation.
 */
export function findSuspension(
  { installation }: Context,
  { next }: Month,
  exceededAt: Date,
): Date | undefined {
  const at = new Date(exceededAt.getTime() + graceMs);
  return installation.overageSuspend && at < startOfDay(next) ? at : undefined;
}
