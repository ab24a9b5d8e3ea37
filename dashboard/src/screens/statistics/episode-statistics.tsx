import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type AnalyticsMeta,
  type EpisodeDownloads,
  type Explanation as Explained,
  episodeDownloadsQuery,
  explanationQuery,
  typicalQuery,
} from '../../api/analytics.ts';
import { Chart } from '../../charts/chart.tsx';
import { Button } from '../../components/button.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { formatNumber } from '../../lib/format.ts';
import { formatShortDay } from '../../lib/format-days.ts';
import { Breakdowns } from './breakdowns.tsx';
import { ByAge } from './by-age.tsx';
import { ClampedNotice, Freshness } from './freshness.tsx';
import { RangeControls } from './range-controls.tsx';
import styles from './statistics.module.css';
import { StatisticsPage } from './statistics-page.tsx';
import { Change, Totals } from './totals.tsx';
import { TypicalSection } from './typical-range.tsx';
import { useEpisodeTitle } from './use-episode-title.ts';
import { useFileSubject } from './use-file-subject.ts';
import { useSeriesModel } from './use-series-model.ts';
import { useStatisticsSearch } from './use-statistics-search.ts';

/** An episode's downloads: over time, against the typical range of its show, beside other episodes. */
export function EpisodeStatistics() {
  const { t } = useLingui();
  const { podcastId = '', episodeId = '' } = useParams({ strict: false });
  const { range, interval } = useStatisticsSearch();
  const series = useQuery(episodeDownloadsQuery(episodeId, range, interval));
  const typical = useQuery(typicalQuery(episodeId));
  const title = useEpisodeTitle(podcastId, episodeId);
  return (
    <StatisticsPage podcastId={podcastId} title={title ?? t`Episode`}>
      <p className={styles['back']}>
        <LinkButton size="small" to="/shows/$podcastId/statistics" params={{ podcastId }}>
          <Trans>All episodes</Trans>
        </LinkButton>
      </p>
      <QueryView query={typical}>{({ data }) => <TypicalSection typical={data} />}</QueryView>
      <ByAge podcastId={podcastId} episodeId={episodeId} />
      <section className={styles['part']} aria-labelledby="over-time">
        <h2 id="over-time">
          <Trans>Over time</Trans>
        </h2>
        <RangeControls used={series.data?.meta.range} />
        <QueryView query={series}>
          {({ data, meta }) => (
            <div aria-busy={series.isPlaceholderData}>
              <ClampedNotice range={meta.range} />
              <OverTime
                data={data}
                meta={meta}
                isFirstWeekOpen={typical.data?.data.is_first_week_complete === false}
              />
              <Breakdowns podcastId={podcastId} episodeId={episodeId} range={range} />
              <Explanation episodeId={episodeId} />
              <Freshness meta={meta} />
            </div>
          )}
        </QueryView>
      </section>
    </StatisticsPage>
  );
}

interface OverTimeProps {
  readonly data: EpisodeDownloads;
  readonly meta: AnalyticsMeta;
  /** Downloads of the first seven days are still being added. */
  readonly isFirstWeekOpen: boolean;
}

function OverTime({ data, meta, isFirstWeekOpen }: OverTimeProps) {
  const { t } = useLingui();
  const { today_partial: isTodayPartial } = meta.freshness;
  const model = useSeriesModel(data, { title: t`Downloads`, isTodayPartial, hasListeners: false });
  const change = <Change comparison={data.comparison} dataStart={meta.range.data_start} />;
  return (
    <>
      <Totals
        figures={[
          { label: t`In this range`, value: data.totals.downloads, note: change },
          {
            label: t`First 7 days`,
            value: data.first_7_days_downloads,
            note: isFirstWeekOpen ? t`so far` : undefined,
          },
          { label: t`All time`, value: data.all_time_downloads },
        ]}
      />
      <Chart model={model} subject={useFileSubject(meta.range)} />
    </>
  );
}

/** Explains a figure by the results of its requests, for the days that still have them. */
function Explanation({ episodeId }: { readonly episodeId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles['part']} aria-labelledby="why">
      <h2 id="why">
        <Trans>Why this number?</Trans>
      </h2>
      <p>
        <Trans>
          Not every request for the audio is a download. We keep requests for today and the two days
          before; after that, only totals remain.
        </Trans>
      </p>
      {isOpen ? (
        <Loaded episodeId={episodeId} />
      ) : (
        <Button onPress={() => setOpen(true)}>
          <Trans>Show how requests were counted</Trans>
        </Button>
      )}
    </section>
  );
}

function Loaded({ episodeId }: { readonly episodeId: string }) {
  return (
    <QueryView query={useQuery(explanationQuery(episodeId))}>
      {({ data }) => <Funnel explained={data} />}
    </QueryView>
  );
}

/** A column for all days, then one for each, today first: a phone shows the first ones. */
function Funnel({ explained: { days, total } }: { readonly explained: Explained }) {
  const { t } = useLingui();
  const reasonOf = useReasons();
  const reasons = [...total.rejected.map(({ reason }) => reason), 'repeated', 'partial'] as const;
  const newestFirst = days.toReversed();
  const columns: readonly Counts[] = [total, ...newestFirst];
  const rows = [
    { label: t`Requests for the audio`, values: columns.map(({ requests }) => requests) },
    ...reasons
      .map((reason) => ({
        label: reasonOf(reason),
        values: columns.map((counts) => -countOf(counts, reason)),
      }))
      .filter(({ values }) => values.some((value) => value < 0)),
    { label: t`Downloads`, values: columns.map(({ downloads }) => downloads) },
  ];
  return (
    <div className="sideways">
      <table className={styles['funnel']}>
        <thead>
          <tr>
            <td />
            <th scope="col">
              <Trans>Total</Trans>
            </th>
            {newestFirst.map(({ day }) => (
              <th key={day} scope="col">
                {formatShortDay(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {columns.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places.
                <td key={index}>{formatNumber(values[index] || 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Counts = Explained['total'];

function countOf(counts: Counts, reason: string): number {
  if (reason === 'repeated' || reason === 'partial') return counts[reason];
  return counts.rejected.find((rejected) => rejected.reason === reason)?.requests ?? 0;
}

function useReasons(): (reason: string) => string {
  const { t } = useLingui();
  const reasons: Readonly<Record<string, string>> = {
    head: t`Only checked that the file exists`,
    not_modified: t`Already had the file`,
    redirect: t`Were redirected`,
    error: t`Ended with an error`,
    prefetch: t`Preloaded without a listener`,
    probe: t`Requested only a few bytes`,
    unknown_range: t`Don’t say which part they received`,
    bot: t`Came from a bot`,
    data_center: t`Came from a data center`,
    too_many_listeners: t`Came from an IP address with too many listeners`,
    future: t`Have a date in the future`,
    repeated: t`Repeat requests by the same listener on the same day`,
    partial: t`Listeners who received less than 60 seconds`,
  };
  return (reason) => reasons[reason] ?? reason;
}
