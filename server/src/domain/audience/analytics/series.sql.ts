import { sql } from 'kysely';
import type { DayRange, UtcDay } from '../../../lib/utc-day.ts';
import type { Db } from '../../foundation/database.ts';
import { episodeTotals } from './episode-list.sql.ts';
import { episodeDataStart, type FactsRow, factsColumns, podcastDataStart } from './facts.sql.ts';

/** The days that have counts, in order: day, downloads, listeners. */
type DayRow = readonly [UtcDay, number, number];

interface PodcastSeriesRow extends FactsRow {
  readonly days: readonly DayRow[];
}

/** One row, or undefined if there is no such podcast. By primary keys. */
export async function selectPodcastSeries(
  db: Db,
  podcastId: string,
  { from, to }: DayRange,
): Promise<PodcastSeriesRow | undefined> {
  const { rows } = await sql<PodcastSeriesRow>`
    select ${factsColumns(podcastDataStart)}, coalesce((
        select json_agg(json_build_array(day, downloads, listeners) order by day)
        from podcast_download_days
        where podcast_id = p.id and day between ${from} and ${to}), '[]') as days
    from podcasts p where p.id = ${podcastId}`.execute(db);
  return rows[0];
}

/** The days that have downloads, in order: day, downloads. */
type EpisodeDayRow = readonly [UtcDay, number];

interface EpisodeSeriesRow extends FactsRow {
  readonly days: readonly EpisodeDayRow[];
  readonly allTimeDownloads: number;
  readonly first7DaysDownloads: number;
}

/** One row, or undefined if there is no such episode. By primary keys. */
export async function selectEpisodeSeries(
  db: Db,
  episodeId: string,
  { from, to }: DayRange,
  now: Date,
): Promise<EpisodeSeriesRow | undefined> {
  const { rows } = await sql<EpisodeSeriesRow>`
    select ${factsColumns(episodeDataStart)}, ${episodeTotals(now)}, coalesce((
        select json_agg(json_build_array(day, downloads) order by day)
        from episode_download_days
        where episode_id = e.id and day between ${from} and ${to}), '[]') as days
    from episodes e join podcasts p on p.id = e.podcast_id
    where e.id = ${episodeId}`.execute(db);
  return rows[0];
}
