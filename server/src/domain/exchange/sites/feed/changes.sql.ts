import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import { isSeenBy } from '../../../foundation/permissions/index.ts';
import type { ScanPosition } from './followed-show.ts';
import type { TombstoneReason } from './site-episode.ts';

/** The show of a site that a change belongs to. */
interface OfShow {
  readonly siteId: string;
  readonly podcastId: string;
}

export interface EpisodeChange {
  readonly episodeId: string;
  /** Null: a tombstone. */
  readonly hash: string | null;
  readonly reason: TombstoneReason | null;
}

/**
 * Locks the site until the transaction ends, as everybody does who gives numbers. False if there is
 * none.
 */
export async function lockSite(db: Db, siteId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sites')
    .select('id')
    .where('id', '=', siteId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectUserOfSite(db: Db, siteId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sites')
    .select('user_id as userId')
    .where('id', '=', siteId)
    .executeTakeFirst();
  return row?.userId;
}

/**
 * Marks all shows of the site for a full comparison. Leaves out `gap` numbers, and gives all
 * changes new ones: on the other server, readers may have passed a change of before without getting
 * it, because it had been replaced there, or was withheld. Returns how far the newest number has
 * moved.
 */
export async function startOver(
  db: Db,
  siteId: string,
  { history, gap }: { readonly history: string; readonly gap: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with known as (
      select episode_id, row_number() over (order by seq) as place from site_changes
      where site_id = ${siteId}),
    renumbered as (
      update site_changes sent set seq = site.head_seq + ${gap} + known.place
      from known cross join sites site
      where sent.site_id = ${siteId} and sent.episode_id = known.episode_id
        and site.id = ${siteId}),
    moved as (
      update sites set history = ${history},
        head_seq = head_seq + ${gap} + (select count(*) from known),
        lost_positions = lost_positions + int8multirange(int8range(head_seq, head_seq + ${gap}, '()'))
      where id = ${siteId}),
    reset as (
      update site_podcasts set snapshot = null, as_of = null, common_hash = null,
        scanned_time = null, scanned_id = null, withheld_after = null
      where site_id = ${siteId})
    select count(*) as count from known`.execute(db);
  return gap + (rows[0]?.count ?? 0);
}

/** The facts of an episode that a comparison needs. */
export interface EpisodeToCompare {
  readonly episodeId: string;
  readonly exists: boolean;
  /** The site's user may see it. */
  readonly isSeen: boolean;
  readonly hash: string | null;
  readonly reason: TombstoneReason | null;
}

/** In the order of `episodeIds`. By primary keys, and episode_credits_in_order. */
export async function selectEpisodesToCompare(
  db: Db,
  { siteId, podcastId }: OfShow,
  episodeIds: readonly string[],
  creditedUserId: string | undefined,
): Promise<EpisodeToCompare[]> {
  const { rows } = await sql<EpisodeToCompare>`
    select wanted.id as "episodeId", e.id is not null as "exists",
      ${isSeenBy(creditedUserId)} as "isSeen", sent.content_hash as hash, sent.reason
    from unnest(${episodeIds}::uuid[]) with ordinality as wanted (id, place)
    left join episodes e on e.id = wanted.id and e.podcast_id = ${podcastId}
    left join site_changes sent on sent.site_id = ${siteId} and sent.episode_id = wanted.id
    order by wanted.place`.execute(db);
  return rows;
}

/**
 * Gives the changes of one show their numbers, in this order. The site must be locked. One
 * statement.
 */
export async function insertChanges(
  db: Db,
  { siteId, podcastId }: OfShow,
  changes: readonly EpisodeChange[],
  now: Date,
): Promise<void> {
  const ids = changes.map(({ episodeId }) => episodeId);
  await sql`
    with head as (
      update sites set head_seq = head_seq + ${changes.length} where id = ${siteId}
      returning head_seq - ${changes.length} as seq),
    given as (
      select * from unnest(${ids}::uuid[], ${changes.map(({ hash }) => hash)}::text[],
        ${changes.map(({ reason }) => reason)}::text[]) with ordinality
        as given (episode_id, hash, reason, place)),
    detached as (
      update site_posts post set detached_at = ${now} from given
      where given.reason = 'show_removed' and post.site_id = ${siteId}
        and post.episode_id = given.episode_id and post.detached_at is null)
    insert into site_changes (site_id, podcast_id, episode_id, seq, content_hash, reason, changed_at)
    select ${siteId}, ${podcastId}, episode_id, head.seq + place, hash, reason, ${now}
    from given cross join head
    on conflict (site_id, episode_id) do update set podcast_id = excluded.podcast_id,
      seq = excluded.seq, content_hash = excluded.content_hash, reason = excluded.reason,
      changed_at = excluded.changed_at`.execute(db);
}

/**
 * Writes tombstones for episodes of a show that the site has, at most `limit`; returns their
 * number. By site_changes_of_podcast.
 */
export async function insertTombstones(
  db: Db,
  { siteId, podcastId }: OfShow,
  reason: TombstoneReason,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with ending as (
      select episode_id, row_number() over (order by seq) as place from site_changes
      where site_id = ${siteId} and podcast_id = ${podcastId}
        and (content_hash is not null or reason = 'unpublished')
      order by seq limit ${limit}),
    head as (
      update sites set head_seq = head_seq + (select count(*) from ending) where id = ${siteId}
      returning head_seq - (select count(*) from ending) as seq),
    detached as (
      update site_posts post set detached_at = ${now} from ending
      where ${reason} = 'show_removed' and post.site_id = ${siteId}
        and post.episode_id = ending.episode_id and post.detached_at is null),
    ended as (
      update site_changes sent set seq = head.seq + ending.place, content_hash = null,
        reason = ${reason}, changed_at = ${now}
      from ending cross join head
      where sent.site_id = ${siteId} and sent.episode_id = ending.episode_id)
    select count(*) as count from ending`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Records that a page after this position leaves out contents of these shows, where it does. By
 * site_changes_of_podcast.
 */
export async function updateWithheld(
  db: Db,
  siteId: string,
  podcastIds: readonly string[],
  after: number,
): Promise<void> {
  await sql`update site_podcasts sent set withheld_after = ${after}
    where sent.site_id = ${siteId} and sent.podcast_id = any (${podcastIds}::uuid[])
      and coalesce(sent.withheld_after > ${after}, true)
      and exists (select from site_changes c
        where c.site_id = sent.site_id and c.podcast_id = sent.podcast_id and c.seq > ${after}
          and c.content_hash is not null)`.execute(db);
}

/**
 * Gives new numbers to the contents of a show that pages have left out, because readers are past
 * the old numbers. Returns how many. By site_changes_of_podcast.
 */
export async function renumberWithheld(
  db: Db,
  { siteId, podcastId }: OfShow,
  after: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with withheld as (
      select episode_id, row_number() over (order by seq) as place from site_changes
      where site_id = ${siteId} and podcast_id = ${podcastId} and seq > ${after}
        and content_hash is not null),
    head as (
      update sites set head_seq = head_seq + (select count(*) from withheld) where id = ${siteId}
      returning head_seq - (select count(*) from withheld) as seq),
    renumbered as (
      update site_changes sent set seq = head.seq + withheld.place
      from withheld cross join head
      where sent.site_id = ${siteId} and sent.episode_id = withheld.episode_id),
    shown as (
      update site_podcasts set withheld_after = null
      where site_id = ${siteId} and podcast_id = ${podcastId})
    select count(*) as count from withheld`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function deleteFollowedShow(db: Db, { siteId, podcastId }: OfShow): Promise<void> {
  await db
    .deleteFrom('site_podcasts')
    .where('site_id', '=', siteId)
    .where('podcast_id', '=', podcastId)
    .execute();
}

/** The state that a comparison has reached; see Comparison. */
export interface Compared {
  readonly snapshot: string;
  readonly asOf: string;
  readonly commonHash: string;
  readonly scanned: ScanPosition | null;
}

/**
 * Stores the state that a comparison has reached. If the podcast has changed since the snapshot,
 * the episodes may have been read before or after that, so it stores no `common_hash`.
 */
export async function replaceComparison(
  db: Db,
  { siteId, podcastId }: OfShow,
  { snapshot, asOf, commonHash, scanned }: Compared,
): Promise<void> {
  await sql`
    insert into site_podcasts (site_id, podcast_id, snapshot, as_of, common_hash, scanned_time,
      scanned_id)
    select ${siteId}, ${podcastId}, ${snapshot}::pg_snapshot, ${asOf}::timestamptz,
      case when not exists (select from content_changes
        where podcast_id = ${podcastId} and subject_id = ${podcastId}
          and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)) then ${commonHash} end,
      ${scanned?.time ?? null}::timestamptz, ${scanned?.id ?? null}::uuid
    on conflict (site_id, podcast_id) do update set snapshot = excluded.snapshot,
      as_of = excluded.as_of, common_hash = excluded.common_hash,
      scanned_time = excluded.scanned_time, scanned_id = excluded.scanned_id`.execute(db);
}
