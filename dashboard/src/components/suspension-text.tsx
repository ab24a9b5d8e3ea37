import { Trans } from '@lingui/react/macro';
import { formatDay } from '../lib/format-days.ts';

interface Props {
  /** overage or operator */
  readonly cause: string;
  /** A UTC day; null: the service does not end it. */
  readonly endsOn: string | null;
}

/** Why a show is suspended, and what ends it. */
export function SuspensionText({ cause, endsOn }: Props) {
  if (cause !== 'overage' || endsOn === null) {
    return (
      <Trans>
        The operator of this service has suspended this show, and only they can lift the suspension.
        Listeners can’t open its pages or play its episodes; its feed stays online.
      </Trans>
    );
  }
  const ends = formatDay(endsOn);
  return (
    <Trans>
      This show is suspended because its owner’s shows have had more downloads this month than their
      plan includes. Listeners can’t open its pages or play its episodes; its feed stays online.
      This ends on {ends}, or earlier with a larger plan.
    </Trans>
  );
}
