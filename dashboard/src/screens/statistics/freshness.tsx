import { Plural, Trans } from '@lingui/react/macro';
import type { AnalyticsMeta } from '../../api/analytics.ts';
import { Notice } from '../../components/notice.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { formatDay } from '../../lib/format-days.ts';
import { readersZone } from '../../lib/time-zone.ts';
import styles from './statistics.module.css';

type Facts = Pick<AnalyticsMeta, 'freshness' | 'methodology'>;

/** How complete the figures are, and how they are made. */
export function Freshness({ meta: { freshness, methodology } }: { readonly meta: Facts }) {
  const { complete_through: complete, last_updated_at: updated, revisable_days: days } = freshness;
  return (
    <aside className={styles['freshness']}>
      {complete !== null && (
        <p>
          <Trans>Data is complete through {formatDay(complete)} (UTC).</Trans>{' '}
          <Plural
            value={days}
            one="The last # day may still change."
            other="The last # days may still change."
          />{' '}
          {updated !== null && (
            <Trans>Last counted: {formatDateTime(updated, readersZone())}.</Trans>
          )}{' '}
          <Trans>
            Download days are in UTC; episode dates are in the show’s time zone, all others in
            yours.
          </Trans>
        </p>
      )}
      <details>
        <summary>
          <Trans>How downloads are counted</Trans>
        </summary>
        <p>
          <Trans>
            A download is one listener receiving at least 60 seconds of an episode’s audio (or all
            of it if it’s shorter) on one UTC day, after bots and data centers are filtered out. A
            listener is a hashed pair of IP address and app. The hash changes every day, so
            listeners can’t be added up across days.
          </Trans>
        </p>
        <p>
          <Trans>The definitions follow the {methodology.guideline}. They aren’t certified.</Trans>{' '}
          <a href={methodology.docs_url}>
            <Trans>More about counting</Trans>
          </a>
        </p>
      </details>
    </aside>
  );
}

/** Says that the plan has shortened the range. */
export function ClampedNotice({ range }: { readonly range: AnalyticsMeta['range'] }) {
  const days = range.retention_days;
  if (!range.clamped || days === null) return null;
  return (
    <Notice tone="info">
      <Trans>
        This show’s plan keeps <Plural value={days} one="# day" other="# days" /> of statistics, so
        the figures start on {formatDay(range.from)}.
      </Trans>
    </Notice>
  );
}
