import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { curvesQuery, episodeAnalyticsQuery } from '../../api/analytics.ts';
import { Chart } from '../../charts/chart.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Select } from '../../components/select.tsx';
import { formatUnits } from '../../lib/format.ts';
import { ComparedEpisodes } from './compared-episodes.tsx';
import controlStyles from './controls.module.css';
import { Flaws } from './flaws.tsx';
import { type ComparedDays, comparedDays, utcToday } from './search.ts';
import styles from './statistics.module.css';
import { useCurvesModel } from './use-curves-model.ts';
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
      <Flaws curves={curves} />
    </>
  );
}
