import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import type { Noted } from './told.sql.ts';

export interface LockedShow {
  readonly podcastId: string;
  readonly accountId: string;
  /** When its webhooks began to be told. */
  readonly begunAt: Date;
}

/**
 * Those of these podcasts, and of the podcasts of these accounts, that have webhooks. Locks them in the
 * order of their ids.
 */
export async function lockToldShows(
  db: Db,
  podcastIds: readonly string[],
  accountIds: readonly string[],
): Promise<LockedShow[]> {
  return await db
    .selectFrom('webhook_shows as told')
    .innerJoin('podcasts as p', 'p.id', 'told.podcast_id')
    .select(['p.id as podcastId', 'p.account_id as accountId', 'told.begun_at as begunAt'])
    .where(
      sql<boolean>`(p.id = any (${podcastIds}::uuid[]) or p.account_id = any (${accountIds}::uuid[]))`,
    )
    .orderBy('p.id')
    .forUpdate('told')
    .execute();
}

/**
 * Of the imports that end while nothing can be told of a show, so many are told later: an import says
 * nothing but that it has ended.
 */
const mostImports = 100;

/**
 * When a show is compared: those first whose changes have waited longest, so that one that changes all the
 * time is not always first. After a failure, or while nothing may be added, not before the pause ends.
 */
const compareAt = (now: Date) => sql`coalesce(told.compare_at, ${now})`;

export interface NotedShow extends Noted {
  readonly podcastId: string;
  /** The public may see it again. */
  readonly isReopened: boolean;
}

/** Adds to what is to be compared. Call it with the shows locked. */
export async function noteShows(db: Db, shows: readonly NotedShow[], now: Date): Promise<void> {
  if (shows.length === 0) return;
  await sql`
    update webhook_shows told set
      has_changed = told.has_changed or noted.has_changed,
      has_publications = told.has_publications or noted.has_publications,
      has_stale_episodes = told.has_stale_episodes or noted.has_stale_episodes,
      imports = least(told.imports + noted.imports, ${mostImports}),
      compare_at = case when noted.is_reopened then ${now} else ${compareAt(now)} end
    from unnest(${shows.map(({ podcastId }) => podcastId)}::uuid[],
      ${shows.map(({ hasChanged }) => hasChanged)}::boolean[],
      ${shows.map(({ hasPublications }) => hasPublications)}::boolean[],
      ${shows.map(({ hasStaleEpisodes }) => hasStaleEpisodes)}::boolean[],
      ${shows.map(({ imports }) => imports)}::integer[],
      ${shows.map(({ isReopened }) => isReopened)}::boolean[])
      noted (podcast_id, has_changed, has_publications, has_stale_episodes, imports, is_reopened)
    where told.podcast_id = noted.podcast_id`.execute(db);
}

/**
 * Marks those of these episodes as stale that were told. Returns their shows. By webhook_episodes_pkey.
 * Call it with the shows locked.
 */
export async function noteEpisodes(
  db: Db,
  episodes: readonly { readonly podcastId: string; readonly episodeId: string }[],
): Promise<ReadonlySet<string>> {
  if (episodes.length === 0) return new Set();
  const { rows } = await sql<{ podcastId: string }>`
    update webhook_episodes told set is_stale = true
    from unnest(${episodes.map(({ podcastId }) => podcastId)}::uuid[],
      ${episodes.map(({ episodeId }) => episodeId)}::uuid[]) named (podcast_id, episode_id)
    where told.podcast_id = named.podcast_id and told.episode_id = named.episode_id
    returning told.podcast_id as "podcastId"`.execute(db);
  return new Set(rows.map(({ podcastId }) => podcastId));
}

/** The shows of those of these episodes that are public without having been told. By episodes_pkey. */
export async function selectShowsWithNews(
  db: Db,
  episodeIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (episodeIds.length === 0) return new Set();
  const { rows } = await sql<{ podcastId: string }>`
    select distinct e.podcast_id as "podcastId" from episodes e
    where e.id = any (${episodeIds}::uuid[]) and e.public_from <= ${now} and not exists (
      select from webhook_episodes told
      where told.podcast_id = e.podcast_id and told.episode_id = e.id)`.execute(db);
  return new Set(rows.map(({ podcastId }) => podcastId));
}

/** The publication of episodes of these shows. Locks those that have webhooks in the order of their ids. */
export async function notePublications(
  db: Db,
  podcastIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    with locked as (
      select podcast_id from webhook_shows where podcast_id = any (${podcastIds}::uuid[])
      order by podcast_id for update
    )
    update webhook_shows told set has_publications = true, compare_at = ${compareAt(now)}
    from locked where told.podcast_id = locked.podcast_id`.execute(db);
}

/** Nothing waits for longer than this, unless the clock was set back. */
const longestWait = sql`interval '1 hour'`;

const isDue = (now: Date) => sql`(told.compare_at is null or told.compare_at <= ${now}
  or told.compare_at > ${now}::timestamptz + ${longestWait})`;

/** Shows of which something is to be compared, except `resting`. By webhook_shows_noted. */
export async function selectShowsToCompare(
  db: Db,
  now: Date,
  { resting, limit }: { readonly resting: readonly string[]; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select podcast_id as id from webhook_shows told
    where (is_stale or has_stale_episodes or has_changed or has_publications or imports > 0)
      and ${isDue(now)} and podcast_id <> all (${resting}::uuid[])
    order by compare_at nulls first, podcast_id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Shows of which something is to be hashed, those first that follow `after`. By webhook_shows_to_compare, and
 * by webhook_episodes_to_hash with one look-up for each show, because one may have very many such episodes.
 */
export async function selectShowsToHash(
  db: Db,
  now: Date,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const next = sql`select podcast_id from webhook_episodes where hash is null and not is_stale`;
  const { rows } = await sql<{ id: string }>`
    with recursive unhashed (id) as (
      (${next} order by podcast_id limit 1)
      union all
      select (${next} and podcast_id > unhashed.id order by podcast_id limit 1) from unhashed
      where unhashed.id is not null
    )
    select id from (
      select podcast_id as id from webhook_shows told
      where told.hash is null and not told.is_stale and not told.has_changed and ${isDue(now)}
      union
      select told.podcast_id from unhashed join webhook_shows told on told.podcast_id = unhashed.id
      where not told.is_stale and ${isDue(now)}
    ) shows order by id <= ${after}::uuid, id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Nothing of the show is compared or hashed before this. */
export async function postponeShow(db: Db, podcastId: string, until: Date): Promise<void> {
  await db
    .updateTable('webhook_shows')
    .set({ compare_at: until })
    .where('podcast_id', '=', podcastId)
    .execute();
}
