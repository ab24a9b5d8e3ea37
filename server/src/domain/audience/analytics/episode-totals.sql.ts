import { type RawBuilder, sql } from 'kysely';

/** When the public first could have the episode. From `episodes e`; applies due schedules. */
function publishedAt(now: Date): RawBuilder<unknown> {
  return sql`(case when e.status = 'scheduled' and e.scheduled_for <= ${now}
    then e.scheduled_for else e.published_at end)`;
}

/**
 * Figures that no range limits: of all time, and of the UTC day of publication and the six after
 * it. From `episodes e`; by episode_download_totals_pkey and episode_download_days_pkey.
 */
export function episodeTotals(now: Date): RawBuilder<unknown> {
  const day = sql`(${publishedAt(now)} at time zone 'UTC')::date`;
  return sql`coalesce((select downloads from episode_download_totals
      where episode_id = e.id), 0) as "allTimeDownloads",
    (select coalesce(sum(downloads), 0)::bigint from episode_download_days
      where episode_id = e.id and day between ${day} and ${day} + 6) as "first7DaysDownloads"`;
}
