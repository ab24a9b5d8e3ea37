import { Plural, Trans } from '@lingui/react/macro';
import type { AnalyticsMeta } from '../../api/analytics.ts';
import { Notice } from '../../components/notice.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { formatDay } from '../../lib/format-days.ts';
import styles from './statistics.module.css';

type Facts = Pick<AnalyticsMeta, 'freshness' | 'methodology'>;

/** How complete the figures are, and how they are made. */
export function Freshness({ meta: { freshness, methodology } }: { readonly meta: Facts }) {
  const { complete_through: complete, last_updated_at: updated, revisable_days: days } = freshness;
  return (
    <aside className={styles['freshness']}>
      {complete !== null && (
        <p>
          <Trans>Complete until the end of {formatDay(complete)} (UTC).</Trans>{' '}
          <Plural
            value={days}
            one="The last # day may still change."
            other="The last # days may still change."
          />{' '}
          {updated !== null && <Trans>Last counted: {formatDateTime(updated)}.</Trans>}{' '}
          <Trans>Days of downloads are in UTC; other dates are in your time zone.</Trans>
        </p>
      )}
      <details>
        <summary>
          <Trans>How downloads are counted</Trans>
        </summary>
        <p>
          <Trans>
            A download is one listener, one episode, one UTC day: at least 60 seconds of the audio,
            or all of it if it is shorter, after bots and data centers are filtered out. A listener
            is a hashed pair of IP address and app that means nothing on another day, so listeners
            are never added up across days.
          </Trans>
        </p>
        <p>
          <Trans>The definitions follow the {methodology.guideline}. They are not certified.</Trans>{' '}
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
        The plan of this show keeps <Plural value={days} one="# day" other="# days" /> of
        statistics: the figures begin on {formatDay(range.from)}.
      </Trans>
    </Notice>
  );
}
