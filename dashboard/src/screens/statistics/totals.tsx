import { Plural, Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { PodcastDownloads } from '../../api/analytics.ts';
import { formatNumber } from '../../lib/format.ts';
import { formatChange, formatDay, formatDays } from '../../lib/format-days.ts';
import styles from './statistics.module.css';

interface Figure {
  readonly label: string;
  readonly value: number;
  readonly note?: ReactNode;
}

export function Totals({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className={styles['totals']}>
      {figures.map(({ label, value, note }) => (
        <div key={label} className={styles['total']}>
          <dt>{label}</dt>
          <dd>
            <span className={styles['figure']}>{formatNumber(value)}</span>
            {note !== undefined && <span className="meta">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Comparison = NonNullable<PodcastDownloads['comparison']>;

/** How the range compares with the days before it: only whole days, and only if all were counted. */
export function Change({
  comparison,
  dataStart,
}: {
  readonly comparison: Comparison | undefined;
  readonly dataStart: string | null;
}) {
  const previous = comparison?.previous ?? null;
  if (previous === null) {
    return comparison?.reason_for_none === 'plan_history' ? (
      <Trans>The statistics in this show’s plan don’t go back to the previous period.</Trans>
    ) : null;
  }
  const { days, downloads, previous_downloads: before } = previous.compared;
  if (days === 0) return <Trans>No day in this range is over yet.</Trans>;
  if (!previous.covered) {
    const start = dataStart === null ? '' : formatDay(dataStart);
    return (
      <Trans>
        Not compared because the first download was on {start}, so the previous period is
        incomplete.
      </Trans>
    );
  }
  const last = formatDays(previous.from, previous.to);
  if (before === 0) return <Trans>No downloads in the previous period ({last}).</Trans>;
  const change = formatChange((downloads - before) / before);
  return (
    <>
      <Trans>
        {change} compared with {formatNumber(before)} in the previous period
      </Trans>
      {' · '}
      <Plural value={days} one="# full day compared" other="# full days compared" />
    </>
  );
}
