import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Dimension } from './breakdown.ts';
import { episodeDataStart, type FactsRow, factsColumns, podcastDataStart } from './facts.sql.ts';
import type { LimitedRange } from './range.ts';
import { selectSplit } from './split-counts.sql.ts';
import type { SplitRange } from './whole-months.ts';

interface BreakdownRow extends FactsRow {
  readonly total: number;
  /** By downloads, then value: value, downloads. */
  readonly values: readonly (readonly [string, number])[];
}

interface BreakdownOf {
  readonly podcastId: string;
  readonly dimension: Dimension;
  /** The most values; undefined: all. */
  readonly most: number | undefined;
}

/** One row, or undefined if there is no such podcast. By primary keys, which hold the counts. */
export async function selectPodcastBreakdown(
  db: Db,
  { podcastId, dimension, most }: BreakdownOf,
  range: SplitRange,
): Promise<BreakdownRow | undefined> {
  const of = sql`podcast_id = ${podcastId} and dimension = ${dimension}`;
  const counts = selectSplit(
    {
      ofDays: sql`select value, downloads from podcast_download_dimensions where ${of}`,
      ofMonths: sql`select value, downloads from podcast_download_dimension_months where ${of}`,
    },
    range,
  );
  const { rows } = await sql<BreakdownRow>`
    with ${countValues(counts, most)}
    select ${factsColumns(podcastDataStart)}, ${countedColumns}
    from podcasts p where p.id = ${podcastId}`.execute(db);
  return rows[0];
}

/** The same of one episode; undefined also if it is not an episode of the podcast. */
export async function selectEpisodeBreakdown(
  db: Db,
  { podcastId, episodeId, dimension, most }: BreakdownOf & { readonly episodeId: string },
  { from, to }: LimitedRange,
): Promise<BreakdownRow | undefined> {
  const part = sql`select value, downloads from episode_download_dimensions
    where episode_id = ${episodeId} and dimension = ${dimension} and day between ${from} and ${to}`;
  const { rows } = await sql<BreakdownRow>`
    with ${countValues(part, most)}
    select ${factsColumns(episodeDataStart)}, ${countedColumns}
    from episodes e join podcasts p on p.id = e.podcast_id
    where e.id = ${episodeId} and e.podcast_id = ${podcastId}`.execute(db);
  return rows[0];
}

const countValues = (counts: RawBuilder<unknown>, most: number | undefined) => sql`
  counted as materialized (
    select value, sum(downloads)::bigint as downloads from (${counts}) as part
    group by value having sum(downloads) > 0
  ), ranked as (
    select value, downloads from counted order by downloads desc, value collate "C"
    limit ${sql.lit(most ?? null)}
  )`;

const countedColumns = sql`
  (select coalesce(sum(downloads), 0)::bigint from counted) as total,
  coalesce((select json_agg(json_build_array(value, downloads)) from ranked), '[]') as "values"`;
