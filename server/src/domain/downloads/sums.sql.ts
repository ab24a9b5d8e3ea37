import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';

/**
 * Locks the sums until the transaction ends. Everything that changes them holds this lock, so a
 * statement after it sees all that was counted before.
 */
export async function lockSums(db: Db): Promise<void> {
  await sql`select from download_sums for update`.execute(db);
}

export async function sumDownloads(db: Db, days: readonly string[]): Promise<number> {
  const { rows } = await sql<{ readonly sum: number }>`
    select coalesce(sum(downloads), 0)::bigint as sum from podcast_download_days
    where day = any (${days}::date[])`.execute(db);
  return rows[0]?.sum ?? 0;
}

export async function touchSums(db: Db, now: Date): Promise<void> {
  await db.updateTable('download_sums').set({ updated_at: now }).execute();
}

/** Clients can send any host, so the sums of a podcast name only so many a day. */
const maxReferrers = 1_000;

/**
 * Common table expressions that end in `unnamed_referrers`: the hosts in `changed` that count as
 * `other`, because others have taken all the places of that podcast and day. A host that has a place
 * keeps it: rows of sums stay, also at 0. So what is added to a row is taken from the same row later,
 * also by a recount.
 */
const unnamedReferrers: RawBuilder<unknown> = sql`
  new_referrers as (
    select podcast_id, day, referrer,
      row_number() over (partition by podcast_id, day order by referrer collate "C") as place
    from (select distinct podcast_id, day, referrer from changed where referrer <> 'other') as given
    where not exists (select from podcast_download_dimensions known
      where known.podcast_id = given.podcast_id and known.dimension = 'referrers'
        and known.day = given.day and known.value = given.referrer)
  ), unnamed_referrers as (
    select podcast_id, day, referrer, 'other' as name
    from new_referrers join (
      select podcast_id, day, taken.places
      from (select distinct podcast_id, day from new_referrers) as given
      cross join lateral (select count(*) as places from podcast_download_dimensions known
        where known.podcast_id = given.podcast_id and known.dimension = 'referrers'
          and known.day = given.day and known.value <> 'other') as taken
    ) as of_days using (podcast_id, day)
    where place + places > ${sql.lit(maxReferrers)}
  )`;

/**
 * Common table expressions that bring the sums from `before` to `after`: two sets of rows in the
 * shape of `download_listeners`, each with all rows of its listeners. They end in `changed`, the
 * downloads that came (positive) and went (negative). A download is a listener of an episode on a
 * day, of whatever version of the audio.
 */
export const applyDifferences: RawBuilder<unknown> = sql`
  download as (
    (select distinct on (day, podcast_id, episode_id, listener) -1 as sign, day, podcast_id,
        episode_id, listener, app, device, country, source, referrer
      from before where counted
      order by day, podcast_id, episode_id, listener, first_at, source collate "C", coalesce(referrer, '') collate "C")
    union all
    (select distinct on (day, podcast_id, episode_id, listener) 1, day, podcast_id,
        episode_id, listener, app, device, country, source, referrer
      from after where counted
      order by day, podcast_id, episode_id, listener, first_at, source collate "C", coalesce(referrer, '') collate "C")
  ), changed as materialized (
    select day, podcast_id, episode_id, app, device, country, source, referrer, sum(sign) as n
    from download
    group by day, podcast_id, episode_id, app, device, country, source, referrer
    having sum(sign) <> 0
  ), changed_listeners as (
    select day, podcast_id, sum(sign) as n
    from (select distinct sign, day, podcast_id, listener from download) as of_podcast
    group by day, podcast_id
  ), podcast_days as (
    insert into podcast_download_days as kept (podcast_id, day, downloads, listeners)
    select podcast_id, day, sum(c.n), coalesce(max(l.n), 0)
    from changed c left join changed_listeners l using (day, podcast_id)
    group by podcast_id, day
    on conflict (podcast_id, day) do update set downloads = kept.downloads + excluded.downloads,
      listeners = kept.listeners + excluded.listeners
  ), episode_days as (
    insert into episode_download_days as kept (podcast_id, episode_id, day, downloads)
    select podcast_id, episode_id, day, sum(n) from changed group by podcast_id, episode_id, day
    on conflict (episode_id, day) do update set downloads = kept.downloads + excluded.downloads
  ), episode_months as (
    insert into episode_download_months as kept (podcast_id, episode_id, month, downloads)
    select podcast_id, episode_id, date_trunc('month', day::timestamp)::date as month, sum(n)
    from changed group by podcast_id, episode_id, month
    on conflict (episode_id, month) do update
      set downloads = kept.downloads + excluded.downloads, has_dimensions = false
  ), episode_totals as (
    insert into episode_download_totals as kept (podcast_id, episode_id, downloads)
    select podcast_id, episode_id, sum(n) from changed group by podcast_id, episode_id
    on conflict (episode_id) do update set downloads = kept.downloads + excluded.downloads
  ), ${unnamedReferrers}, changed_values as materialized (
    select day, podcast_id, episode_id, dimension, value, sum(n) as n
    from changed left join unnamed_referrers using (podcast_id, day, referrer)
    cross join lateral (values ('apps', app), ('countries', country), ('devices', device),
      ('sources', source), ('referrers', coalesce(unnamed_referrers.name, referrer))
    ) as d (dimension, value)
    where value is not null
    group by day, podcast_id, episode_id, dimension, value having sum(n) <> 0
  ), podcast_dimensions as (
    insert into podcast_download_dimensions as kept (podcast_id, dimension, day, value, downloads)
    select podcast_id, dimension, day, value, sum(n) from changed_values
    group by podcast_id, dimension, day, value
    on conflict (podcast_id, dimension, day, value)
      do update set downloads = kept.downloads + excluded.downloads
  ), podcast_months as (
    insert into podcast_download_dimension_months as kept
      (podcast_id, dimension, month, value, downloads)
    select podcast_id, dimension, date_trunc('month', day::timestamp)::date as month, value, sum(n)
    from changed_values group by podcast_id, dimension, month, value
    on conflict (podcast_id, dimension, month, value)
      do update set downloads = kept.downloads + excluded.downloads
  ), episode_dimensions as (
    insert into episode_download_dimensions as kept
      (podcast_id, episode_id, dimension, day, value, downloads)
    select podcast_id, episode_id, dimension, day, value, n from changed_values
    on conflict (episode_id, dimension, day, value)
      do update set downloads = kept.downloads + excluded.downloads
  )`;
