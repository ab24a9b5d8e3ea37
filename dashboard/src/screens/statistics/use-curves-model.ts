import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { CurveByAge } from '../../api/analytics.ts';
import type { ChartModel, ChartSeries } from '../../charts/chart-model.ts';
import { useAges } from './use-ages.ts';

interface Options {
  readonly curves: readonly CurveByAge[];
  /** Its line is the first. */
  readonly episodeId: string;
  readonly days: number;
}

export function useCurvesModel({ curves, episodeId, days }: Options): ChartModel {
  const { t } = useLingui();
  const ages = useAges();
  return useMemo(() => {
    const ordered = [
      ...curves.filter((curve) => curve.episode_id === episodeId),
      ...curves.filter((curve) => curve.episode_id !== episodeId),
    ];
    const shown = ordered.filter(
      ({ totals, so_far: soFar }) => totals.length > 0 || soFar !== null,
    );
    const longest = Math.max(1, ...shown.map(({ totals }) => totals.length + 1));
    const points = ages(Math.min(days, longest));
    const names = nameApart(shown);
    const series = shown.map(({ totals, so_far: soFar, episode_id: id }, index): ChartSeries => {
      const own = [...totals, ...(soFar === null ? [] : [soFar])];
      return {
        label: names[index] ?? '',
        values: points.map((_, day) => own[day] ?? null),
        ...(id === episodeId && { look: 'main' }),
        openEnd: soFar === null ? undefined : t`the day is not over`,
      };
    });
    return {
      title: t`Downloads since publication`,
      summary: t`Downloads until the end of each day since publication. Day 1 is the day of publication.`,
      pointHeading: t`Age`,
      ...{ points, series },
    };
  }, [curves, episodeId, days, ages, t]);
}

/** Two episodes of one title get the days of their publication. */
function nameApart(curves: readonly CurveByAge[]): string[] {
  return curves.map(({ title, published_on: day }) =>
    curves.filter((other) => other.title === title).length > 1 ? `${title} (${day})` : title,
  );
}
