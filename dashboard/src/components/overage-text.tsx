import { Plural, Trans } from '@lingui/react/macro';
import { overageGraceDays } from '../../../server/src/lib/limits.ts';
import { utcDayOf } from '../../../server/src/lib/utc-day.ts';
import { formatNumber } from '../lib/format.ts';
import { formatDay } from '../lib/format-days.ts';

interface Props {
  readonly overage: {
    readonly kind: string;
    readonly downloads: number;
    readonly monthly_downloads: number;
    readonly is_suspended: boolean;
    readonly suspends_at: string | null;
    /** A UTC day. */
    readonly renews_on: string;
  };
}

/** How much of the plan is used, what follows and when, what ends it, and whom to ask. */
export function OverageText({ overage }: Props) {
  const downloads = formatNumber(overage.downloads);
  const limit = formatNumber(overage.monthly_downloads);
  return (
    <>
      {overage.kind === 'downloads_exceeded' ? (
        <Trans>
          Your shows have had {downloads} downloads this month; your plan includes {limit}.
        </Trans>
      ) : (
        <Trans>
          Your shows have used {downloads} of this month’s {limit} downloads.
        </Trans>
      )}{' '}
      <Consequence overage={overage} />{' '}
      <Trans>For a larger plan, ask the operator of this service.</Trans>
    </>
  );
}

function Consequence({ overage }: Props) {
  const { kind, is_suspended: isSuspended, suspends_at: suspendsAt } = overage;
  const renews = formatDay(overage.renews_on);
  if (isSuspended) {
    return (
      <Trans>
        They’re suspended: listeners can’t open their pages or play their episodes. Feeds stay
        online, so you won’t lose subscribers. This ends on {renews}, or earlier with a larger plan.
      </Trans>
    );
  }
  if (suspendsAt === null) {
    return <Trans>Feeds, pages and episodes stay available. The count resets on {renews}.</Trans>;
  }
  const suspends = formatDay(utcDayOf(new Date(suspendsAt)));
  return kind === 'downloads_exceeded' ? (
    <Trans>
      They’ll be suspended on {suspends}: listeners won’t be able to open their pages or play their
      episodes. Feeds stay online, so you won’t lose subscribers. A larger plan prevents this;
      otherwise it ends on {renews}.
    </Trans>
  ) : (
    <Trans>
      <Plural value={overageGraceDays} one="# day" other="# days" /> after they reach the limit,
      they’ll be suspended: listeners won’t be able to open their pages or play their episodes.
      Feeds stay online. A larger plan prevents this, and the count resets on {renews}.
    </Trans>
  );
}
