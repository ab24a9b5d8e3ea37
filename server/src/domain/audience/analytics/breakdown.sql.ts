import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { Dimension } from '../downloads/index.ts';
import { episodeDataStart, type FactsRow, factsColumns, podcastDataStart } from './facts.sql.ts';
import type { LimitedRange } from './range.ts';
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
      ofDays: (downloads) =>
        sql`select value, ${downloads} as downloads from podcast_download_dimensions where ${of}`,
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
  range: LimitedRange,
): Promise<BreakdownRow | undefined> {
  const counts = episodeCounts({ episodeId, dimension }, range);
  const { rows } = await sql<BreakdownRow>`
    with ${countValues(counts, most)}
    select ${factsColumns(episodeDataStart)}, ${countedColumns}
    from episodes e join podcasts p on p.id = e.podcast_id
    where e.id = ${episodeId} and e.podcast_id = ${podcastId}`.execute(db);
  return rows[0];
}

/**
 * The rows of an episode's range, by primary keys: sums of the whole months that have them, days of
 * all others (decision 0040). Each month with downloads has a row in episode_download_months.
 */
function episodeCounts(
  { episodeId, dimension }: { readonly episodeId: string; readonly dimension: Dimension },
  { from, to }: LimitedRange,
): RawBuilder<unknown> {
  return sql`
    with months as materialized (
      select first, last, has_dimensions and first >= ${from} and last <= ${to} as is_summed
      from (select month as first, (month + interval '1 month')::date - 1 as last, has_dimensions
        from episode_download_months where episode_id = ${episodeId}) as kept
      where first <= ${to} and last >= ${from}
    )
    select value, downloads from months cross join lateral (
      select value, downloads from episode_download_dimension_months
      where episode_id = ${episodeId} and dimension = ${dimension} and month = first) as of_month
    where is_summed
    union all
    select value, downloads from months cross join lateral (
      select of_value.key as value, of_value.value::bigint as downloads
      from episode_download_breakdowns
      cross join lateral jsonb_each_text(counts -> ${dimension}) as of_value
      where episode_id = ${episodeId} and day between greatest(first, ${from}) and least(last, ${to})
    ) as of_days
    where not is_summed`;
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

/**
 * Statements over sums by `day` and by `month`. They end inside `where`, so a condition is added
 * with `and`.
 */
interface Sums {
  /** `downloads` is the column, or an expression of it. */
  readonly ofDays: (downloads: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly ofMonths: RawBuilder<unknown>;
}

/** The rows of a range: whole months, the days before and after them, and the excess, negative. */
export function selectSplit(
  { ofDays, ofMonths }: Sums,
  { days, months, excess }: SplitRange,
): RawBuilder<unknown> {
  const count = sql`downloads`;
  const parts = days.map(({ from, to }) => sql`${ofDays(count)} and day between ${from} and ${to}`);
  if (months !== undefined) {
    parts.push(sql`${ofMonths} and month between ${months.from} and ${months.to}`);
  }
  if (excess !== undefined) {
    parts.push(sql`${ofDays(sql`-${count}`)} and day between ${excess.from} and ${excess.to}`);
  }
  return sql.join(parts, sql` union all `);
}
