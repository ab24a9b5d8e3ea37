import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import { planIncludesApi } from '../../../foundation/permissions/index.ts';
import type { Membership } from '../../../foundation/relation.ts';
import { isReadable } from '../site-facts.sql.ts';
import type { Comparison, FollowedShow, ScanPosition } from './followed-show.ts';
import type { TombstoneReason } from './site-episode.ts';

/** A show with more candidates gets a full comparison. */
export const maxCandidates = 100;

/** A site's feed at one moment: one snapshot of the database. */
export interface FeedState {
  readonly userId: string;
  readonly transcripts: boolean;
  readonly headSeq: number;
  /** The server of the stored snapshots; null: none is stored yet. */
  readonly comparedHistory: string | null;
  /** The present server. */
  readonly history: string;
  /** The snapshot of this statement. */
  readonly snapshot: string;
  readonly shows: readonly FollowedShow[];
}

/** A call of the feed. */
export interface FeedCall {
  readonly after: number;
  readonly limit: number;
}

export interface CalledFeed extends FeedState {
  /** `after` may be from before a backup was restored. */
  readonly isLostPosition: boolean;
  readonly page: readonly ChangeRow[];
}

export interface ChangeRow {
  readonly seq: number;
  readonly episodeId: string;
  readonly podcastId: string;
  readonly changedAt: string;
  readonly hash: string | null;
  readonly reason: TombstoneReason | null;
}

interface ShowRow extends Omit<FollowedShow, 'membership' | 'compared'>, Partial<Membership> {
  readonly isFollowed: boolean;
  readonly snapshot: Comparison['snapshot'];
  readonly asOf: Comparison['asOf'];
  readonly commonHash: Comparison['commonHash'];
  readonly scannedTime: ScanPosition['time'] | null;
  readonly scannedId: ScanPosition['id'] | null;
}

interface Row extends Omit<FeedState, 'shows'> {
  readonly shows: readonly ShowRow[] | null;
}

type CalledRow = Row & Omit<CalledFeed, keyof FeedState | 'page'> & { page: ChangeRow[] | null };

/**
 * Names the database server. It changes when transactions are numbered anew or a backup is
 * restored: with another server, a new timeline, or a table that was restored from a dump.
 */
const history = sql`concat_ws('/', (select system_identifier from pg_control_system()),
  substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8), 'sites'::regclass::oid)`;

/**
 * The podcasts of `site`. By api_key_podcasts_pkey and site_podcasts_pkey; for each by primary keys,
 * content_changes_by_transaction and episodes_public.
 */
const showsOfSite = (now: Date) => sql`
  select show.podcast_id as "podcastId", p.id is not null as "exists",
    named.key_id is not null as "isNamed", m.role, m.role_name as "roleName", m.capabilities,
    coalesce(${planIncludesApi}, false) as "planIncludesApi",
    ${isReadable} as "isReadable", p.status,
    sent.withheld_after as "withheldAfter",
    sent.site_id is not null as "isFollowed", sent.snapshot, sent.as_of as "asOf",
    sent.common_hash as "commonHash", sent.scanned_time as "scannedTime",
    sent.scanned_id as "scannedId", moment.at as moment,
    array(select c.subject_id from content_changes c
      where c.podcast_id = p.id and c.xid >= pg_snapshot_xmin(sent.snapshot)
        and not pg_visible_in_snapshot(c.xid, sent.snapshot)
      limit ${sql.lit(maxCandidates + 1)}) as changed,
    array(select e.id from episodes e
      where e.podcast_id = p.id and e.public_from > least(sent.as_of, moment.at)
        and e.public_from <= greatest(sent.as_of, moment.at)
      order by e.public_from, e.id limit ${sql.lit(maxCandidates + 1)}) as due
  from site
  cross join lateral (
    select podcast_id from api_key_podcasts where key_id = site.key_id and blocked_at is null
    union select podcast_id from site_podcasts where site_id = site.id) show
  left join podcasts p on p.id = show.podcast_id
  left join accounts owning on owning.id = p.account_id
  left join podcast_members m on m.podcast_id = p.id and m.user_id = site.user_id
  left join api_key_podcasts named on named.podcast_id = p.id and named.key_id = site.key_id
    and named.blocked_at is null
  left join site_podcasts sent on sent.podcast_id = show.podcast_id and sent.site_id = site.id
  cross join lateral (select ${momentAt(now)} as at) moment
  order by show.podcast_id`;

/**
 * A clock up to a minute behind the last comparison counts as equal, because clocks of processes
 * differ.
 */
const momentAt = (now: Date) => sql`greatest(${now}::timestamptz,
  case when sent.as_of <= ${now}::timestamptz + interval '1 minute' then sent.as_of end)`;

const siteColumns = sql`site.user_id as "userId", site.transcripts, site.head_seq as "headSeq",
  site.history as "comparedHistory", ${history} as history,
  pg_current_snapshot()::text as snapshot,
  (select json_agg(shows) from shows) as shows`;

const withShows = (siteId: string, now: Date) => sql`
  with site as (select * from sites where id = ${siteId}), shows as (${showsOfSite(now)})`;

/** One round trip. */
export async function selectFeedState(
  db: Db,
  siteId: string,
  now: Date,
): Promise<FeedState | undefined> {
  const { rows } = await sql<Row>`${withShows(siteId, now)}
    select ${siteColumns} from site`.execute(db);
  return rows[0] && toFeedState(rows[0]);
}

/**
 * Reads the state and a page, by site_changes_in_order. Records the call, at most once a minute for
 * the same position. The page leaves out contents of shows that may not be read now. One round trip.
 */
export async function callFeed(
  db: Db,
  siteId: string,
  { after, limit }: FeedCall,
  now: Date,
): Promise<CalledFeed | undefined> {
  const aMinuteAgo = new Date(now.getTime() - 60_000);
  const isLost: RawBuilder<unknown> = sql`site.lost_positions @> ${after}::bigint`;
  const { rows } = await sql<CalledRow>`${withShows(siteId, now)}, page as (
      select seq, episode_id as "episodeId", podcast_id as "podcastId",
        changed_at as "changedAt", content_hash as hash, reason
      from site_changes where site_id = ${siteId} and seq > ${after}
        and (content_hash is null
          or podcast_id not in (select "podcastId" from shows where not "isReadable"))
      order by seq limit ${limit}),
    noted as (
      insert into site_calls (site_id, after_seq, called_at)
      select site.id, ${after}, ${now} from site
      where site.head_seq >= ${after} and not ${isLost} and not exists (
        select from site_calls known where known.site_id = site.id
          and known.after_seq = ${after} and known.called_at between ${aMinuteAgo} and ${now})
      on conflict (site_id)
        do update set after_seq = excluded.after_seq, called_at = excluded.called_at)
    select ${siteColumns}, ${isLost} as "isLostPosition",
      (select json_agg(page order by seq) from page) as page
    from site`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { isLostPosition, page } = row;
  return { ...toFeedState(row), isLostPosition, page: page ?? [] };
}

function toFeedState({ shows, ...row }: Row): FeedState {
  const { userId, transcripts, headSeq, comparedHistory, history: now, snapshot } = row;
  const site = { userId, transcripts, headSeq, comparedHistory, history: now, snapshot };
  return { ...site, shows: (shows ?? []).map(toFollowedShow) };
}

function toFollowedShow(row: ShowRow): FollowedShow {
  const { role, roleName = null, capabilities = null, isFollowed, ...show } = row;
  const { snapshot, asOf, commonHash, scannedTime: time, scannedId: id } = row;
  const scanned = time === null || id === null ? null : { time, id };
  return {
    ...show,
    membership: role == null ? undefined : { role, roleName, capabilities },
    compared: isFollowed ? { snapshot, asOf, commonHash, scanned } : undefined,
  };
}
