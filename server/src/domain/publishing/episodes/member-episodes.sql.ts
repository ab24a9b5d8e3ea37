import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import type { Grant } from '../../foundation/permissions/index.ts';
import { visibleFingerprints } from '../../foundation/provenance/index.ts';
import { asOf, isPublished } from './episode.ts';
import type { EpisodeListPosition, EpisodeListQuery, MemberEpisode } from './member-episode.ts';

/** The row as stored: `toEpisode` applies due schedules, and hides private facts of the origin. */
export interface EpisodeRow extends Omit<MemberEpisode, 'rssGuid'> {
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

/** Copies field by field, which takes half the time of spreading a row: a page has twenty rows. */
export function toEpisode(row: EpisodeRow, now: Date): MemberEpisode {
  const { guidSha256, enclosureSha256, sourceGuid, feedGuid } = row;
  const { status, publishedAt, scheduledFor } = asOf(row, now);
  const isPublic = isPublished({ status, publishedAt }, now);
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

type Place = Pick<EpisodeListPosition, 'listedAt' | 'moves'>;

/**
 * The longest page of the API and the row after it. The constant tells the planner, which plans
 * once for all parameters, how short a page is.
 */
const mostRows = 101;
const newestFirst = sql`order by e.listed_at desc, e.id desc`;

/**
 * Every list walks an index in its order, so a page costs its own rows whatever the show's length:
 * episodes_listed, or episodes_listed_by_status once or twice. Episodes that credit one user are
 * found by people_user and episode_credits_of_person, and then sorted: a page costs as much as they
 * all.
 */
export async function selectEpisodeList(
  db: Db,
  query: EpisodeListQuery & Pick<Grant, 'creditedUserId'>,
  now: Date,
): Promise<({ readonly episode: MemberEpisode } & Place)[]> {
  const { podcastId, creditedUserId, after, limit } = query;
  const source =
    creditedUserId === undefined ? sql`episodes e` : creditedEpisodes(podcastId, creditedUserId);
  // Skips episodes that moved since the first page: they may have been on a page already (decision
  // 0016).
  const unseen = after
    ? sql`and (e.listed_at, e.id) < (${after.listedAt}, ${after.id})
        and e.last_move <= ${after.moves}`
    : sql``;
  const walks = walksOf(storedAs(query.status, now), creditedUserId).map(
    (stored) => sql`(select e.* from ${source} where e.podcast_id = ${podcastId} and ${stored}
      ${unseen} ${newestFirst} limit ${sql.lit(Math.max(limit, mostRows))})`,
  );
  const moves = after
    ? sql`${after.moves}::integer`
    : sql`(select episode_moves from podcasts where id = ${podcastId})`;
  const { rows } = await sql<EpisodeRow & Place>`
    select ${episodeColumns}, e.listed_at as "listedAt", ${moves} as moves
    from (select e.* from (${sql.join(walks, sql` union all `)}) e ${newestFirst} limit ${limit}) e
    left join audio_files audio on audio.episode_id = e.id
    ${newestFirst}`.execute(db);
  return rows.map((row) => {
    const { listedAt, moves } = row;
    return { episode: toEpisode(row, now), listedAt, moves };
  });
}

/**
 * Conditions on the stored columns for episodes that have this status now. A schedule's time is its
 * listed_at.
 */
export function storedAs(status: EpisodeStatus | undefined, now: Date): RawBuilder<unknown>[] {
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

/**
 * Conditions of the walks that are united. Episodes that credit one user have no index to walk, so
 * their credits would be read again for each walk.
 */
export function walksOf(
  conditions: RawBuilder<unknown>[],
  creditedUserId: string | undefined,
): RawBuilder<unknown>[] {
  return creditedUserId === undefined ? conditions : [anyOf(conditions)];
}

export function anyOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`(${sql.join(
    conditions.map((condition) => sql`(${condition})`),
    sql` or `,
  )})`;
}

/**
 * Materialized, because a plan might otherwise search all episodes of a long show for the few of a
 * user.
 */
export function creditedEpisodes(podcastId: string, userId: string): RawBuilder<unknown> {
  return sql`(with credited as materialized (
      select distinct credit.episode_id from people person
      join episode_credits credit on credit.person_id = person.id
      where person.user_id = ${userId} and person.podcast_id = ${podcastId})
    select e.* from credited cross join lateral (
      select e.* from episodes e where e.id = credited.episode_id offset 0) e) e`;
}
