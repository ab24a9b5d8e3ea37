import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { EpisodeDownloads, PodcastDownloads } from '../../api/analytics.ts';
import type { ChartModel, ChartPoint, ChartSeries } from '../../charts/chart-model.ts';
import { formatNumber } from '../../lib/format.ts';
import {
  formatDays,
  formatMonth,
  formatShortDay,
  formatShortMonth,
  formatWeekday,
} from '../../lib/format-days.ts';

type Series = PodcastDownloads | EpisodeDownloads;
type Period = Series['periods'][number];

function toPoint({ period_start: from, period_end: to }: Period, interval: string): ChartPoint {
  switch (interval) {
    case 'month':
      return { label: formatMonth(from), short: formatShortMonth(from), fileCells: [from, to] };
    case 'week':
      return { label: formatDays(from, to), short: formatShortDay(from), fileCells: [from, to] };
    default:
      return { label: formatWeekday(from), short: formatShortDay(from), fileCells: [from] };
  }
}

interface Options {
  readonly title: string;
  readonly isTodayPartial: boolean;
  /** False for an episode: its listeners equal its downloads. */
  readonly hasListeners: boolean;
}

/** Downloads over time, beside those of the days before. */
export function useSeriesModel(
  data: Series,
  { title, isTodayPartial, hasListeners }: Options,
): ChartModel {
  const { t } = useLingui();
  return useMemo(() => {
    const { periods, interval, comparison } = data;
    const openEnd = isTodayPartial ? t`today isn’t over` : undefined;
    const listeners: ChartSeries = {
      label: interval === 'day' ? t`Listeners` : t`Most listeners in a day`,
      values: periods.map((period) => period.unique_listeners),
      // Often almost equal to the downloads.
      ...{ look: 'above', openEnd },
    };
    const previous = comparison?.previous;
    // Days before the first download would be drawn as zero.
    const before = previous?.covered
      ? previous.periods.map(({ downloads }) => downloads)
      : undefined;
    const series: ChartSeries[] = [
      {
        label: t`Downloads`,
        values: periods.map(({ downloads }) => downloads),
        ...{ look: 'main', openEnd },
      },
      ...(hasListeners ? [listeners] : []),
      ...(before ? [{ label: t`Previous period`, values: before, look: 'compared' as const }] : []),
    ];
    const points = periods.map((period) => toPoint(period, interval));
    const most = Math.max(...periods.map(({ downloads }) => downloads));
    const at = points[periods.findIndex(({ downloads }) => downloads === most)]?.label ?? '';
    const total = data.totals.downloads;
    const highest = formatNumber(most);
    const days = formatDays(periods[0]?.period_start ?? '', periods.at(-1)?.period_end ?? '');
    const summary =
      most > 0
        ? t`${plural(total, { one: '# download', other: '# downloads' })}: ${days}. Highest (${highest}): ${at}.`
        : t`No downloads: ${days}.`;
    const fileHeadings = interval === 'day' ? [t`Day`] : [t`From`, t`To`];
    return { title, summary, pointHeading: t`Period`, fileHeadings, points, series };
  }, [data, title, isTodayPartial, hasListeners, t]);
}
