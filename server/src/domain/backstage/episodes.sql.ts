import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import { asOf, type EpisodeStatus } from '../episodes/index.ts';
import { visibleFingerprints } from '../imports/provenance/index.ts';
import type { BackstageEpisode, EpisodeListPosition } from './episode.ts';
import type { EpisodeListQuery } from './list-episodes.ts';

/** As stored: a due schedule, and what of the origin may be seen, are told by `toEpisode`. */
export interface EpisodeRow extends Omit<BackstageEpisode, 'rssGuid'> {
  readonly feedGuid: string;
  readonly sourceGuid: string | null;
}

/** From `episodes e` and `audio_files audio`. */
export const episodeColumns = sql`e.id, e.podcast_id as "podcastId", e.slug, e.title, e.subtitle,
  e.status, e.season, e.episode_number as "episodeNumber", e.episode_type as "episodeType",
  e.published_at as "publishedAt", e.scheduled_for as "scheduledFor", e.created_at as "createdAt",
  audio.duration_ms as "durationMs", coalesce(e.guid, e.id::text) as "feedGuid",
  e.source_guid as "sourceGuid", e.source_guid_sha256 as "guidSha256",
  e.source_enclosure_sha256 as "enclosureSha256"`;

/** Field by field: a page is made of twenty of these, and copying rows takes twice as long. */
export function toEpisode(row: EpisodeRow, now: Date): BackstageEpisode {
  const { guidSha256, enclosureSha256, sourceGuid, feedGuid } = row;
  const { status, publishedAt, scheduledFor } = asOf(row, now);
  const isPublic = isOut({ status, publishedAt }, now);
  const provenance = { guidSha256, enclosureSha256, sourceGuid, feedGuid, isPublic };
  const shown = visibleFingerprints(provenance);
  return {
    id: row.id,
    podcastId: row.podcastId,
    slug: row.slug,
    title: row.title,
    subtitle: row.subtitle,
    status,
    season: row.season,
    episodeNumber: row.episodeNumber,
    episodeType: row.episodeType,
    publishedAt,
    scheduledFor,
    createdAt: row.createdAt,
    durationMs: row.durationMs,
    guidSha256: shown.guidSha256,
    enclosureSha256: shown.enclosureSha256,
    rssGuid: shown.rssGuid,
  };
}

/** Published, and its time has passed: the world can have it, unless its show is hidden. */
export function isOut(
  { status, publishedAt }: Pick<BackstageEpisode, 'status' | 'publishedAt'>,
  now: Date,
): boolean {
  return status === 'published' && publishedAt !== null && publishedAt <= now;
}

type Place = Pick<EpisodeListPosition, 'listedAt' | 'changedBy'>;

/**
 * A page of the API and the row after it, as a constant: a plan made once for all parameters knows
 * by it how short a page is.
 */
const mostRows = 101;
const newestFirst = sql`order by e.listed_at desc, e.id desc`;

/**
 * Every list walks an index in its order, so a page costs its own rows whatever the show's length:
 * episodes_listed, or episodes_listed_by_status once or twice. What credits one user is found by
 * people_user and episode_credits_of_person, and put in order. The newest change of status is the
 * end of episodes_status_changed.
 */
export async function selectEpisodeList(
  db: Db,
  query: EpisodeListQuery,
  now: Date,
): Promise<({ readonly episode: BackstageEpisode } & Place)[]> {
  const { podcastId, creditedUserId, after, limit } = query;
  const source =
    creditedUserId === undefined ? sql`episodes e` : creditedEpisodes(podcastId, creditedUserId);
  // A change of status may move an episode that was on a page already (decision 0029).
  const unseen = after
    ? sql`and (e.listed_at, e.id) < (${after.listedAt}, ${after.id})
        and e.status_changed_at <= ${after.changedBy}`
    : sql``;
  const walks = storedAs(query.status, now).map(
    (stored) => sql`(select e.* from ${source} where e.podcast_id = ${podcastId} and ${stored}
      ${unseen} ${newestFirst} limit ${sql.lit(Math.max(limit, mostRows))})`,
  );
  const changedBy = after
    ? sql`${after.changedBy}::timestamptz`
    : sql`(select max(status_changed_at) from episodes where podcast_id = ${podcastId})`;
  const { rows } = await sql<EpisodeRow & Place>`
    select ${episodeColumns}, e.listed_at as "listedAt", ${changedBy} as "changedBy"
    from (select e.* from (${sql.join(walks, sql` union all `)}) e ${newestFirst} limit ${limit}) e
    left join audio_files audio on audio.episode_id = e.id
    ${newestFirst}`.execute(db);
  return rows.map((row) => {
    const { listedAt, changedBy } = row;
    return { episode: toEpisode(row, now), listedAt, changedBy };
  });
}

/** What is stored of the episodes that have this status now. A schedule's time is its listed_at. */
function storedAs(status: EpisodeStatus | undefined, now: Date): RawBuilder<unknown>[] {
  switch (status) {
    case undefined:
      return [sql`true`];
    case 'scheduled':
      return [sql`e.status = 'scheduled' and e.listed_at > ${now}`];
    case 'published':
      return [sql`e.status = 'published'`, sql`e.status = 'scheduled' and e.listed_at <= ${now}`];
    default:
      return [sql`e.status = ${status}`];
  }
}

/** Materialized: or a plan might look for a user's few episodes along all those of a long show. */
function creditedEpisodes(podcastId: string, userId: string): RawBuilder<unknown> {
  return sql`(with credited as materialized (
      select distinct credit.episode_id from people person
      join episode_credits credit on credit.person_id = person.id
      where person.user_id = ${userId} and person.podcast_id = ${podcastId})
    select e.* from credited cross join lateral (
      select e.* from episodes e where e.id = credited.episode_id offset 0) e) e`;
}
