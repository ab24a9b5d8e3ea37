import { sql } from 'kysely';
import type { Db } from '../../server/src/domain/foundation/database.ts';

export interface SumsSize {
  readonly podcastId: string;
  /** The only episode that gets breakdowns. */
  readonly episodeId: string;
  /** Downloads in the year that ends today. */
  readonly downloads: number;
}

/** The number of values of each dimension. The n-th has an n-th of the downloads of the first. */
export const valuesOf = { apps: 150, countries: 220, devices: 40, sources: 4, referrers: 300 };

/**
 * Inserts a year of sums of a show with weekly episodes, as `ingestRequests` would write them. A
 * value or an episode has a row for each day with at least one download.
 */
export async function insertSums(
  db: Db,
  { podcastId, episodeId, downloads }: SumsSize,
): Promise<void> {
  const perDay = Math.round(downloads / 365);
  await sql`update episodes e set published_at = date_trunc('milliseconds', now())
      - (newest.number - e.episode_number) * interval '7 days'
    from (select max(episode_number) as number from episodes where podcast_id = ${podcastId}) newest
    where e.podcast_id = ${podcastId}`.execute(db);
  await sql`insert into podcast_download_days (podcast_id, day, downloads, listeners)
    select ${podcastId}::uuid, current_date - ago, ${perDay}::bigint, ${perDay}::bigint * 9 / 10
    from generate_series(0, 364) ago`.execute(db);
  await sql`insert into podcast_download_months (podcast_id, month, downloads)
    select podcast_id, date_trunc('month', day::timestamp)::date, sum(downloads)
    from podcast_download_days where podcast_id = ${podcastId} group by 1, 2`.execute(db);
  await sql`insert into episode_download_days (podcast_id, episode_id, day, downloads)
    select e.podcast_id, e.id, current_date - ago, share
    from generate_series(364, 0, -1) ago
    join episodes e on e.podcast_id = ${podcastId} and e.published_at::date <= current_date - ago
    cross join lateral (select (${perDay}::float
      / (6 * (1 + (current_date - ago - e.published_at::date) / 7)))::bigint as share) of_episode
    where share > 0`.execute(db);
  await sql`insert into episode_download_totals (podcast_id, episode_id, downloads)
    select podcast_id, episode_id, sum(downloads) from episode_download_days
    where podcast_id = ${podcastId} group by podcast_id, episode_id`.execute(db);
  await sql`insert into episode_download_months (podcast_id, episode_id, month, downloads)
    select podcast_id, episode_id, date_trunc('month', day::timestamp)::date, sum(downloads)
    from episode_download_days where podcast_id = ${podcastId} group by 1, 2, 3`.execute(db);
  for (const [dimension, count] of Object.entries(valuesOf)) {
    await sql`insert into podcast_download_dimensions
        (podcast_id, dimension, day, value, downloads)
      select ${podcastId}::uuid, ${dimension}::text, current_date - ago, 'Value ' || n, share
      from generate_series(364, 0, -1) ago, generate_series(1, ${count}::int) n
      cross join lateral (select (${perDay}::float / (6 * n))::bigint as share) of_value
      where share > 0`.execute(db);
  }
  await sql`insert into podcast_download_dimension_months
      (podcast_id, dimension, month, value, downloads)
    select podcast_id, dimension, date_trunc('month', day::timestamp)::date, value, sum(downloads)
    from podcast_download_dimensions where podcast_id = ${podcastId}
    group by 1, 2, 3, 4`.execute(db);
  await sql`insert into episode_download_breakdowns (podcast_id, episode_id, day, counts)
    select podcast_id, episode_id, day,
      jsonb_build_object('countries', jsonb_object_agg('Value ' || n, share))
    from episode_download_days, generate_series(1, ${valuesOf.countries}::int) n
    cross join lateral (select (downloads::float / (6 * n))::bigint as share) of_value
    where episode_id = ${episodeId} and share > 0
    group by podcast_id, episode_id, day order by day`.execute(db);
}
