import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import {
  type AnalyticsMeta,
  type PodcastDownloads,
  podcastDownloadsQuery,
} from '../../api/analytics.ts';
import { Chart } from '../../charts/chart.tsx';
import { Deferred } from '../../components/deferred.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { formatDay } from '../../lib/format-days.ts';
import { Breakdowns } from './breakdowns.tsx';
import { EpisodeTable } from './episode-table.tsx';
import { ClampedNotice, Freshness } from './freshness.tsx';
import { RangeControls } from './range-controls.tsx';
import styles from './statistics.module.css';
import { StatisticsPage } from './statistics-page.tsx';
import { Change, Totals } from './totals.tsx';
import { useFileSubject } from './use-file-subject.ts';
import { useSeriesModel } from './use-series-model.ts';
import { useStatisticsSearch } from './use-statistics-search.ts';

/** A show's downloads in a range. */
export function Statistics() {
  const { t } = useLingui();
  const { podcastId = '' } = useParams({ strict: false });
  const { range, interval } = useStatisticsSearch();
  const query = useQuery(podcastDownloadsQuery(podcastId, range, interval));
  return (
    <StatisticsPage podcastId={podcastId} title={t`Statistics`}>
      <RangeControls used={query.data?.meta.range} />
      <QueryView query={query}>
        {({ data, meta }) =>
          meta.range.data_start === null ? (
            <NothingYet source={meta.freshness.source} />
          ) : (
            <div aria-busy={query.isPlaceholderData}>
              <ClampedNotice range={meta.range} />
              <Overview data={data} meta={meta} />
              <Deferred>
                <EpisodeTable podcastId={podcastId} range={range} />
                <Breakdowns podcastId={podcastId} episodeId={undefined} range={range} />
              </Deferred>
              <Freshness meta={meta} />
            </div>
          )
        }
      </QueryView>
    </StatisticsPage>
  );
}

function Overview({
  data,
  meta,
}: {
  readonly data: PodcastDownloads;
  readonly meta: AnalyticsMeta;
}) {
  const { t } = useLingui();
  const { today_partial: isTodayPartial } = meta.freshness;
  const model = useSeriesModel(data, { title: t`Downloads`, isTodayPartial, hasListeners: true });
  const { totals, comparison, periods } = data;
  const busiest = periods.find(
    ({ unique_listeners: listeners }) => listeners === totals.peak_daily_unique_listeners,
  );
  const { data_start: dataStart } = meta.range;
  return (
    <section className={styles['part']} aria-label={t`Downloads`}>
      <Totals
        figures={[
          {
            label: t`Downloads`,
            value: totals.downloads,
            note: <Change comparison={comparison} dataStart={dataStart} />,
          },
          {
            label: t`Listeners on the best day`,
            value: totals.peak_daily_unique_listeners,
            note:
              data.interval === 'day' && busiest !== undefined
                ? formatDay(busiest.period_start)
                : undefined,
          },
        ]}
      />
      <Chart model={model} subject={useFileSubject(meta.range)} />
    </section>
  );
}

function NothingYet({ source }: { readonly source: string }) {
  const { t } = useLingui();
  if (source === 'none') {
    return (
      <EmptyState title={t`Downloads are counted elsewhere`}>
        <Trans>
          The audio of this show is hosted elsewhere, so its downloads are counted there.
        </Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t`No downloads yet`}>
      <Trans>They’ll appear here within seconds of the first listener loading an episode.</Trans>
    </EmptyState>
  );
}
