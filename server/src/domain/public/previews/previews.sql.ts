import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { creditsUser } from '../../foundation/permissions/index.ts';
import type { Membership } from '../../foundation/relation.ts';

interface PreviewLinkRow {
  readonly seed: string;
  readonly tokenSha256: string;
  readonly expiresAt: Date;
}

interface NewPreviewLink extends PreviewLinkRow {
  readonly podcastId: string;
  /** The member with whose membership it ends. */
  readonly createdBy: string | null;
}

/** Replaces the episode's link. */
export async function upsertPreviewLink(
  db: Db,
  episodeId: string,
  { seed, tokenSha256, expiresAt, podcastId, createdBy }: NewPreviewLink,
  now: Date,
): Promise<void> {
  const columns = {
    ...{ seed, token_sha256: tokenSha256, expires_at: expiresAt, created_at: now },
    ...{ podcast_id: podcastId, created_by: createdBy },
  };
  await db
    .insertInto('preview_links')
    .values({ episode_id: episodeId, ...columns })
    .onConflict((conflict) => conflict.column('episode_id').doUpdateSet(columns))
    .execute();
}

/** Whoever made a link, as the episode's show knows them now. */
export interface MadeBy {
  /** Null: the operator, or a release before 0.2.0. */
  readonly maker: Membership | null;
  /** Whether the episode credits the maker. */
  readonly isCredited: boolean;
}

/** From `preview_links l` and `episodes e`, by podcast_members_pkey and episode_credits_in_order. */
const madeBy = sql`
  (select json_build_object(
      'role', m.role, 'roleName', m.role_name, 'capabilities', m.capabilities)
    from podcast_members m
    where m.podcast_id = l.podcast_id and m.user_id = l.created_by) as maker,
  ${creditsUser(sql`l.created_by`)} as "isCredited"`;

/** By preview_links_pkey and episodes_pkey. */
export async function selectPreviewLink(
  db: Db,
  episodeId: string,
  now: Date,
): Promise<(PreviewLinkRow & MadeBy) | undefined> {
  const { rows } = await sql<PreviewLinkRow & MadeBy>`
    select l.seed, l.token_sha256 as "tokenSha256", l.expires_at as "expiresAt", ${madeBy}
    from preview_links l join episodes e on e.id = l.episode_id
    where l.episode_id = ${episodeId} and l.expires_at > ${now}`.execute(db);
  return rows[0];
}

export async function deletePreviewLink(db: Db, episodeId: string): Promise<void> {
  await db.deleteFrom('preview_links').where('episode_id', '=', episodeId).execute();
}

/** By preview_links_expired. */
export async function deleteExpiredPreviewLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('preview_links').where('expires_at', '<=', now).execute();
}

/**
 * From `preview_links l`, `episodes e` and `podcasts p`. Excludes archived episodes and withheld
 * shows.
 */
const opened = (tokenSha256: string, now: Date) => sql`preview_links l
  join episodes e on e.id = l.episode_id and e.status <> 'archived'
  join podcasts p on p.id = e.podcast_id and p.status <> 'overage_suspended'
  where l.token_sha256 = ${tokenSha256} and l.expires_at > ${now}`;

export interface PreviewedEpisode extends MadeBy {
  readonly podcastId: string;
  readonly episodeId: string;
  readonly seed: string;
}

/** By preview_links_token_sha256_key and `madeBy`. */
export async function selectPreviewed(
  db: Db,
  tokenSha256: string,
  now: Date,
): Promise<PreviewedEpisode | undefined> {
  const { rows } = await sql<PreviewedEpisode>`
    select e.podcast_id as "podcastId", e.id as "episodeId", l.seed, ${madeBy}
    from ${opened(tokenSha256, now)}`.execute(db);
  return rows[0];
}

export interface PreviewAudio {
  /** Null: it is only at `sourceUrl`. */
  readonly blobKey: string | null;
  readonly sourceUrl: string | null;
  readonly contentType: string;
  readonly sha256: string | null;
  readonly sizeBytes: number | null;
}

/** By preview_links_token_sha256_key and primary keys. */
export async function selectPreviewAudio(
  db: Db,
  tokenSha256: string,
  now: Date,
): Promise<PreviewAudio | undefined> {
  const { rows } = await sql<PreviewAudio>`
    select a.blob_key as "blobKey", a.source_url as "sourceUrl",
      a.content_type as "contentType", a.sha256, a.size_bytes as "sizeBytes"
    from audio_files a
    where a.episode_id = (select e.id from ${opened(tokenSha256, now)})`.execute(db);
  return rows[0];
}

/**
 * A picture that the episode's page shows: its own and the show's, and those of people on the roster or
 * credited on it. Not those of other drafts. By preview_links_token_sha256_key, images_pkey and
 * people_photo.
 */
export async function selectPreviewImage(
  db: Db,
  tokenSha256: string,
  imageId: string,
  now: Date,
): Promise<{ readonly sha256: string } | undefined> {
  const { rows } = await sql<{ sha256: string }>`
    select i.sha256 from images i
    where i.id = ${imageId} and exists (select from ${opened(tokenSha256, now)}
      and p.id = i.podcast_id and (i.id in (e.artwork_id, p.artwork_id, p.header_image_id)
        or exists (select from people person where person.photo_id = i.id and (person.roster
          or exists (select from episode_credits credit
            where credit.person_id = person.id and credit.episode_id = e.id)))))`.execute(db);
  return rows[0];
}
