import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';

/** A month of an episode; the month is its first day. */
export interface EpisodeMonth {
  readonly episodeId: string;
  readonly month: string;
}

/**
 * Locks months before `before` whose values are not summed yet, by episode_download_months_to_sum.
 * A month is left out while a batch changes it, or while somebody deletes its podcast: this waits for
 * no lock, so it takes part in no deadlock.
 */
export async function lockMonthsToSum(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<EpisodeMonth[]> {
  const { rows } = await sql<EpisodeMonth>`
    select episode_id as "episodeId", month::text
    from episode_download_months kept join podcasts on podcasts.id = kept.podcast_id
    where not has_dimensions and month < ${before}::date
    order by month limit ${limit}
    for update of kept skip locked for key share of podcasts skip locked`.execute(db);
  return rows;
}

/** By primary keys. The locks of these months keep batches out until the commit. */
export async function sumMonthsByValue(db: Db, months: readonly EpisodeMonth[]): Promise<void> {
  const wanted = sql`unnest(${months.map(({ episodeId }) => episodeId)}::uuid[],
    ${months.map(({ month }) => month)}::date[]) as wanted (episode_id, month)`;
  await sql`delete from episode_download_dimension_months kept using ${wanted}
    where kept.episode_id = wanted.episode_id and kept.month = wanted.month`.execute(db);
  await sql`
    insert into episode_download_dimension_months
      (podcast_id, episode_id, dimension, month, value, downloads)
    select podcast_id, episode_id, dimension, month, value, downloads
    from ${wanted} cross join lateral (
      select podcast_id, of_dimension.key as dimension, of_value.key as value,
        sum(of_value.value::bigint) as downloads
      from episode_download_breakdowns kept
      cross join lateral jsonb_each(counts) as of_dimension
      cross join lateral jsonb_each_text(of_dimension.value) as of_value
      where kept.episode_id = wanted.episode_id and day >= month and day < month + interval '1 month'
      group by podcast_id, of_dimension.key, of_value.key
    ) summed`.execute(db);
  await sql`update episode_download_months kept set has_dimensions = true from ${wanted}
    where kept.episode_id = wanted.episode_id and kept.month = wanted.month`.execute(db);
}
