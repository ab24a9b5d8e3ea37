import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import {
  type AnalyticsMeta,
  type EpisodeDownloads,
  episodeDownloadsQuery,
  usualQuery,
} from '../../api/analytics.ts';
import { Chart } from '../../charts/chart.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { AgainstUsual } from './against-usual.tsx';
import { Breakdowns } from './breakdowns.tsx';
import { ByAge } from './by-age.tsx';
import { Explanation } from './explanation.tsx';
import { isFirstWeekOpen } from './first-week.ts';
import { ClampedNotice, Freshness } from './freshness.tsx';
import { RangeControls } from './range-controls.tsx';
import styles from './statistics.module.css';
import { StatisticsPage } from './statistics-page.tsx';
import { Change, Totals } from './totals.tsx';
import { useEpisodeTitle } from './use-episode-title.ts';
import { useFileSubject } from './use-file-subject.ts';
import { useSeriesModel } from './use-series-model.ts';
import { useStatisticsSearch } from './use-statistics-search.ts';

/** An episode's downloads: over time, against the usual of its show, beside other episodes. */
export function EpisodeStatistics() {
  const { t } = useLingui();
  const { podcastId = '', episodeId = '' } = useParams({ strict: false });
  const { range, interval } = useStatisticsSearch();
  const series = useQuery(episodeDownloadsQuery(episodeId, range, interval));
  const usual = useQuery(usualQuery(episodeId));
  const title = useEpisodeTitle(podcastId, episodeId);
  return (
    <StatisticsPage podcastId={podcastId} title={title ?? t`Episode`}>
      <p className={styles['back']}>
        <LinkButton size="small" to="/shows/$podcastId/statistics" params={{ podcastId }}>
          <Trans>All episodes</Trans>
        </LinkButton>
      </p>
      <QueryView query={usual}>{({ data }) => <AgainstUsual usual={data} />}</QueryView>
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
                publishedOn={usual.data?.data.episode?.published_on ?? null}
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
  /** A UTC day; null: not published, or not known yet. */
  readonly publishedOn: string | null;
}

function OverTime({ data, meta, publishedOn }: OverTimeProps) {
  const { t } = useLingui();
  const { today_partial: isTodayPartial, complete_through: completeThrough } = meta.freshness;
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
            note: isFirstWeekOpen(publishedOn, completeThrough) ? t`so far` : undefined,
          },
          { label: t`All time`, value: data.all_time_downloads },
        ]}
      />
      <Chart model={model} subject={useFileSubject(meta.range)} />
    </>
  );
}
