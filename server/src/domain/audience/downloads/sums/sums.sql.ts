import { type RawBuilder, sql } from 'kysely';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import type { Dimension } from './differences.ts';

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

interface OfDay {
  readonly podcastId: string;
  readonly day: UtcDay;
}

const podcastsAndDays = (rows: readonly OfDay[]) =>
  sql`${rows.map(({ podcastId }) => podcastId)}::uuid[], ${rows.map(({ day }) => day)}::date[]`;
const counts = (rows: readonly { readonly downloads: number }[]) =>
  sql`${rows.map(({ downloads }) => downloads)}::bigint[]`;

/** Adds to the sums of podcasts by day and by month. Each podcast and day once. */
export async function addToDays(
  db: Db,
  rows: readonly (OfDay & { readonly downloads: number; readonly listeners: number })[],
): Promise<void> {
  await sql`
    with changed as materialized (
      select * from unnest(${podcastsAndDays(rows)}, ${counts(rows)},
        ${rows.map(({ listeners }) => listeners)}::bigint[]) as row (podcast_id, day, n, listeners)
    ), days as (
      insert into podcast_download_days as kept (podcast_id, day, downloads, listeners)
      select podcast_id, day, n, listeners from changed
      on conflict (podcast_id, day) do update set downloads = kept.downloads + excluded.downloads,
        listeners = kept.listeners + excluded.listeners
    )
    insert into podcast_download_months as kept (podcast_id, month, downloads)
    select podcast_id, date_trunc('month', day::timestamp)::date as month, sum(n)
    from changed group by podcast_id, month
    on conflict (podcast_id, month)
      do update set downloads = kept.downloads + excluded.downloads`.execute(db);
}

/**
 * Adds to the sums of episodes by day and by month, and to those of all time. Each episode and day
 * once. `isDelivery`: as for `addDifferences`.
 */
export async function addToEpisodes(
  db: Db,
  rows: readonly (OfDay & { readonly episodeId: string; readonly downloads: number })[],
  isDelivery: boolean,
): Promise<void> {
  const delivered = isDelivery ? sql`n` : sql`0`;
  await sql`
    with changed as materialized (
      select * from unnest(${podcastsAndDays(rows)}, ${rows.map(({ episodeId }) => episodeId)}::uuid[],
        ${counts(rows)}) as row (podcast_id, day, episode_id, n)
    ), days as (
      insert into episode_download_days as kept (podcast_id, episode_id, day, downloads, delivered)
      select podcast_id, episode_id, day, n, ${delivered} from changed
      on conflict (episode_id, day) do update set downloads = kept.downloads + excluded.downloads,
        delivered = coalesce(kept.delivered, kept.downloads) + excluded.delivered
    ), months as (
      insert into episode_download_months as kept (podcast_id, episode_id, month, downloads)
      select podcast_id, episode_id, date_trunc('month', day::timestamp)::date as month, sum(n)
      from changed group by podcast_id, episode_id, month
      on conflict (episode_id, month) do update
        set downloads = kept.downloads + excluded.downloads, has_dimensions = false
    )
    insert into episode_download_totals as kept (podcast_id, episode_id, downloads)
    select podcast_id, episode_id, sum(n) from changed group by podcast_id, episode_id
    on conflict (episode_id) do update set downloads = kept.downloads + excluded.downloads`.execute(
    db,
  );
}

export interface ValueOfDay extends OfDay {
  readonly dimension: Dimension;
  readonly value: string;
  readonly downloads: number;
}

/** Adds to the sums of podcasts by value, by day and by month. Each value of a day once. */
export async function addToValues(db: Db, rows: readonly ValueOfDay[]): Promise<void> {
  await sql`
    with changed as materialized (
      select * from unnest(${podcastsAndDays(rows)},
        ${rows.map(({ dimension }) => dimension)}::text[], ${rows.map(({ value }) => value)}::text[],
        ${counts(rows)}) as row (podcast_id, day, dimension, value, n)
    ), days as (
      insert into podcast_download_dimensions as kept (podcast_id, dimension, day, value, downloads)
      select podcast_id, dimension, day, value, n from changed
      on conflict (podcast_id, dimension, day, value)
        do update set downloads = kept.downloads + excluded.downloads
    )
    insert into podcast_download_dimension_months as kept
      (podcast_id, dimension, month, value, downloads)
    select podcast_id, dimension, date_trunc('month', day::timestamp)::date as month, value, sum(n)
    from changed group by podcast_id, dimension, month, value
    on conflict (podcast_id, dimension, month, value)
      do update set downloads = kept.downloads + excluded.downloads`.execute(db);
}

/** Clients can send any host, so the sums of a podcast name only so many a day. */
const maxReferrers = 1_000;

export interface ReferrerOfDay extends OfDay {
  readonly referrer: string;
}

export interface ReferrerDownloads extends ReferrerOfDay {
  readonly downloads: number;
}

/**
 * The hosts that count as `other`, because others have taken all the places of that podcast and day.
 * A host that has a place keeps it: rows of sums stay, also at 0. So what is added to a row is taken
 * from the same row later, also by a recount. Those with most downloads get the places that are left.
 * Each host of a day once.
 */
export async function selectUnnamedReferrers(
  db: Db,
  referrers: readonly ReferrerDownloads[],
): Promise<ReferrerOfDay[]> {
  // JSON: the driver takes ten times as long for arrays of texts.
  // Materialized: the planner would count the places taken again for each host.
  const { rows } = await sql<ReferrerOfDay>`
    with new_referrers as (
      select podcast_id, day, referrer,
        row_number() over (
          partition by podcast_id, day order by downloads desc, referrer collate "C") as place
      from (
        select "podcastId" as podcast_id, day, referrer, downloads
        from json_to_recordset(${JSON.stringify(referrers)}::json)
          as row ("podcastId" uuid, day date, referrer text, downloads bigint)
      ) as given
      where referrer <> 'other' and not exists (select from podcast_download_dimensions known
        where known.podcast_id = given.podcast_id and known.dimension = 'referrers'
          and known.day = given.day and known.value = given.referrer)
    ), days as materialized (
      select podcast_id, day, (select count(*) from podcast_download_dimensions known
        where known.podcast_id = given.podcast_id and known.dimension = 'referrers'
          and known.day = given.day and known.value <> 'other') as taken
      from (select distinct podcast_id, day from new_referrers) as given
    )
    select podcast_id as "podcastId", day, referrer from new_referrers join days using (podcast_id, day)
    where place + taken > ${sql.lit(maxReferrers)}`.execute(db);
  return rows;
}

/** Downloads by dimension and value. None is 0. */
export type Breakdowns = Readonly<Partial<Record<Dimension, Readonly<Record<string, number>>>>>;

/** The downloads of an episode on a day. */
export interface EpisodeBreakdowns {
  readonly podcastId: string;
  readonly episodeId: string;
  readonly day: UtcDay;
  readonly counts: Breakdowns;
}

/** Those of them that have a row. Requires the lock of the sums, so that they stay as they are. */
export async function selectEpisodeBreakdowns(
  db: Db,
  of: readonly Pick<EpisodeBreakdowns, 'episodeId' | 'day'>[],
): Promise<EpisodeBreakdowns[]> {
  const { rows } = await sql<EpisodeBreakdowns>`
    select podcast_id as "podcastId", episode_id as "episodeId", day, counts
    from unnest(${of.map(({ episodeId }) => episodeId)}::uuid[], ${of.map(({ day }) => day)}::date[])
      as wanted (episode_id, day)
    join episode_download_breakdowns using (episode_id, day)`.execute(db);
  return rows;
}

/** Writes rows, also in the place of others. Each episode and day once. */
export async function upsertEpisodeBreakdowns(
  db: Db,
  rows: readonly EpisodeBreakdowns[],
): Promise<void> {
  await sql`insert into episode_download_breakdowns (podcast_id, episode_id, day, counts)
    select "podcastId", "episodeId", day, counts
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row ("podcastId" uuid, "episodeId" uuid, day date, counts jsonb)
    on conflict (episode_id, day) do update set counts = excluded.counts`.execute(db);
}

/** A month of an episode; the month is its first day. */
interface EpisodeMonth {
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

interface EpisodeDay {
  readonly episodeId: string;
  readonly day: UtcDay;
}

/** Null: all of them may have been counted when the audio was sent. Never more than there are. */
const delivered: RawBuilder<number> = sql`least(coalesce(delivered, downloads), downloads)`;

const episodesAndDays = (rows: readonly EpisodeDay[]) =>
  sql`${rows.map(({ episodeId }) => episodeId)}::uuid[], ${rows.map(({ day }) => day)}::date[]`;

/**
 * How many downloads of these episodes and days were counted when the audio was sent, without those
 * that `subtractDelivered` has taken off. By episode_download_days_pkey.
 */
export async function selectDelivered(
  db: Db,
  wanted: readonly EpisodeDay[],
): Promise<(EpisodeDay & { readonly downloads: number })[]> {
  const { rows } = await sql<EpisodeDay & { readonly downloads: number }>`
    select episode_id as "episodeId", day::text as day, greatest(0, ${delivered})::bigint as downloads
    from unnest(${episodesAndDays(wanted)}) as wanted (episode_id, day)
    join episode_download_days using (episode_id, day)`.execute(db);
  return rows;
}

/** Takes off the downloads that were found in logs. Each episode and day once. */
export async function subtractDelivered(
  db: Db,
  rows: readonly (EpisodeDay & { readonly found: number })[],
): Promise<void> {
  await sql`
    update episode_download_days kept set delivered = ${delivered} - changed.found
    from unnest(${episodesAndDays(rows)}, ${rows.map(({ found }) => found)}::bigint[])
      as changed (episode_id, day, found)
    where kept.episode_id = changed.episode_id and kept.day = changed.day`.execute(db);
}
