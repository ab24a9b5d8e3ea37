import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type CurveByAge, curvesQuery, episodeAnalyticsQuery } from '../../api/analytics.ts';
import { Chart } from '../../charts/chart.tsx';
import type { ChartModel, ChartSeries } from '../../charts/chart-model.ts';
import { QueryView } from '../../components/query-view.tsx';
import { Select } from '../../components/select.tsx';
import { formatUnits } from '../../lib/format.ts';
import { ComparedEpisodes } from './compared-episodes.tsx';
import controlStyles from './controls.module.css';
import { type ComparedDays, comparedDays, utcToday } from './search.ts';
import styles from './statistics.module.css';
import { useAges } from './use-ages.ts';
import { useFileSubject } from './use-file-subject.ts';
import { useStatisticsSearch } from './use-statistics-search.ts';

interface Props {
  readonly podcastId: string;
  readonly episodeId: string;
}

/** By default, the earlier episodes. */
const compared = 3;

/** The episode and others by age: each line begins at its own publication. */
export function ByAge({ podcastId, episodeId }: Props) {
  const { t } = useLingui();
  const { search, change } = useStatisticsSearch();
  const { days = 30 } = search;
  const ids = useCompared({ podcastId, episodeId });
  const query = useQuery({
    ...curvesQuery(podcastId, [episodeId, ...(ids ?? [])], days),
    enabled: ids !== undefined,
  });
  const lengthOf = (length: ComparedDays) =>
    length === 365 ? t`One year` : formatUnits(length, 'day');
  return (
    <section className={styles['part']} aria-labelledby="by-age">
      <h2 id="by-age">
        <Trans>Compare episodes</Trans>
      </h2>
      <div className={controlStyles['controls']}>
        <ComparedEpisodes podcastId={podcastId} episodeId={episodeId} ids={ids ?? []} />
        <Select
          label={t`First`}
          value={String(days)}
          onChange={(value) =>
            change({ days: comparedDays.find((known) => String(known) === value) })
          }
          options={comparedDays.map((value) => ({ value: String(value), label: lengthOf(value) }))}
        />
      </div>
      <QueryView query={query}>
        {({ data }) => <Curves curves={data} episodeId={episodeId} days={days} />}
      </QueryView>
    </section>
  );
}

/** The ids of the address, or the published episodes before this one; undefined while they load. */
function useCompared({ podcastId, episodeId }: Props): readonly string[] | undefined {
  const { search, range } = useStatisticsSearch();
  const { data } = useInfiniteQuery(episodeAnalyticsQuery(podcastId, range));
  if (search.with !== undefined) return search.with.split(',');
  if (data === undefined) return undefined;
  const listed = data.pages
    .flatMap((page) => page.data)
    .filter(({ status }) => status === 'published');
  const own = listed.findIndex((episode) => episode.episode_id === episodeId);
  return listed.slice(own + 1, own + 1 + compared).map((episode) => episode.episode_id);
}

function Curves({
  curves,
  ...of
}: {
  readonly curves: Parameters<typeof useCurvesModel>[0]['curves'];
  readonly episodeId: string;
  readonly days: number;
}) {
  const model = useCurvesModel({ curves, ...of });
  const today = utcToday();
  const subject = useFileSubject({ from: today, to: today });
  return (
    <>
      <Chart model={model} subject={subject} />
      <ExcludedEpisodes curves={curves} />
    </>
  );
}

/** Why an episode has no line, or one that cannot be compared. */
function ExcludedEpisodes({ curves }: { readonly curves: readonly CurveByAge[] }) {
  const excluded = curves.filter((curve) => curve.exclusion_reason !== null);
  if (excluded.length === 0) return null;
  return (
    <ul className="meta">
      {excluded.map((curve) => (
        <li key={curve.episode_id}>
          <ExclusionReason curve={curve} />
        </li>
      ))}
    </ul>
  );
}

function ExclusionReason({ curve }: { readonly curve: CurveByAge }) {
  const { title } = curve;
  switch (curve.exclusion_reason) {
    case 'early_days_missing':
      return <Trans>{title}: its first days weren’t counted here.</Trans>;
    case 'plan_history':
      return (
        <Trans>{title}: the statistics in this show’s plan don’t go back to its first days.</Trans>
      );
    case 'early_downloads':
      return <Trans>{title}: it has downloads from before its publication date.</Trans>;
    default:
      return (
        <Trans>{title}: it hasn’t been public for the whole time since its publication date.</Trans>
      );
  }
}

interface Options {
  readonly curves: readonly CurveByAge[];
  /** Its line is the first. */
  readonly episodeId: string;
  readonly days: number;
}

function useCurvesModel({ curves, episodeId, days }: Options): ChartModel {
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
        openEnd: soFar === null ? undefined : t`the day isn’t over`,
      };
    });
    return {
      title: t`Downloads since publication`,
      summary: t`Total downloads by the end of each day since publication. Day 1 is the day of publication.`,
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
