import { Trans } from '@lingui/react/macro';
import { addDays, lastDayOfMonth, utcDayOf } from '../../../server/src/lib/utc-day.ts';
import { formatDay } from '../lib/format-days.ts';

/** Why a show is suspended, and what ends it. `cause`: overage or operator. */
export function SuspensionText({ cause }: { readonly cause: string }) {
  if (cause !== 'overage') {
    return (
      <Trans>
        The operator of this service has suspended this show, and only they can lift the suspension.
        Listeners can’t open its pages or play its episodes; its feed stays online.
      </Trans>
    );
  }
  const ends = formatDay(addDays(lastDayOfMonth(utcDayOf(new Date())), 1));
  return (
    <Trans>
      This show is suspended because its owner’s shows have had more downloads this month than their
      plan includes. Listeners can’t open its pages or play its episodes; its feed stays online.
      This ends on {ends}, or earlier with a larger plan.
    </Trans>
  );
}
