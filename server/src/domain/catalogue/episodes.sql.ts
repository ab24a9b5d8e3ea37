import { type RawBuilder, sql } from 'kysely';
import { carriesCredential } from '../../lib/credential.ts';
import type { Db } from '../database.ts';
import type { EpisodeType } from '../episodes/index.ts';
import type { EpisodePosition, PublicAudio, PublicCredit, PublicEpisode, Show } from './show.ts';
import { imageRef } from './shows.sql.ts';

interface Row extends Omit<PublicEpisode, 'audio' | 'people'> {
  readonly mediaName: string;
  readonly audio:
    | (Omit<PublicAudio, 'fileName'> & { extension: string; sourceUrl: string | null })
    | null;
  readonly people: PublicCredit[] | null;
}

/** One episode as the public sees it, from `episodes e`; everything else by primary keys. */
const columns = sql`e.id, e.slug, coalesce(e.guid, e.id::text) as guid, e.title, e.subtitle,
  e.description, e.show_notes_html as "showNotesHtml", e.season,
  e.episode_number as "episodeNumber", e.episode_type as "episodeType", e.explicit,
  e.public_from as "publishedAt", e.updated_at as "updatedAt", e.link_url as "linkUrl",
  e.media_name as "mediaName",
  case when audio.episode_id is not null then json_build_object(
    'contentType', audio.content_type, 'extension', audio.extension, 'sizeBytes', audio.size_bytes,
    'durationMs', audio.duration_ms,
    'sourceUrl', case when audio.blob_key is null then audio.source_url end) end as audio,
  ${imageRef('artwork')} as artwork,
  case when e.publish_transcript then t.language end as "transcriptLanguage",
  c.episode_id is not null as "hasChapters",
  (select json_agg(json_build_object('name', person.name, 'role', credit.role,
      'group', credit."group", 'linkUrl', person.link_url, 'bio', person.bio,
      'photo', ${imageRef('photo')}) order by credit.position, credit.id)
    from episode_credits credit
    join people person on person.id = credit.person_id
    left join images photo on photo.id = person.photo_id
    where credit.episode_id = e.id) as people`;

const joins = sql`left join audio_files audio on audio.episode_id = e.id
  left join images artwork on artwork.id = e.artwork_id
  left join transcripts t on t.episode_id = e.id
  left join chapters c on c.episode_id = e.id`;

function toPublicEpisode(row: Row, show: Show): PublicEpisode {
  const { mediaName, audio, people, ...episode } = row;
  return {
    ...episode,
    audio: audio && {
      contentType: audio.contentType,
      sizeBytes: audio.sizeBytes,
      durationMs: audio.durationMs,
      fileName:
        audio.sourceUrl !== null && carriesCredential(audio.sourceUrl)
          ? null
          : `${mediaName}.${audio.extension}`,
    },
    people: people ?? show.roster,
  };
}

export interface EpisodeQuery {
  readonly limit: number;
  readonly after?: EpisodePosition | undefined;
  readonly types?: readonly EpisodeType[] | undefined;
  readonly season?: number | undefined;
}

const allTypes: readonly EpisodeType[] = ['full', 'trailer', 'bonus'];

/**
 * Newest first, by (public_from, id). Every combination of filters walks one index in order, so a
 * page costs its own rows whatever the show's length: episodes_public without filters; with any,
 * one short walk for each type along episodes_public_by_type or _by_season, merged.
 */
export async function selectEpisodePage(
  db: Db,
  show: Show,
  query: EpisodeQuery,
  now: Date,
): Promise<PublicEpisode[]> {
  const { limit, after, season } = query;
  const order = sql`order by e.public_from desc, e.id desc limit ${limit}`;
  const wanted = sql`e.podcast_id = ${show.id} and e.public_from <= ${now} ${
    after ? sql`and (e.public_from, e.id) < (${after.publishedAt}, ${after.id})` : sql``
  } ${season === undefined ? sql`` : sql`and e.public_season = ${season}`}`;
  const filtered = query.types !== undefined || season !== undefined;
  const page: RawBuilder<unknown> = filtered
    ? sql`select e.* from unnest(${sql.val([...(query.types ?? allTypes)])}::text[]) wanted(type)
        cross join lateral (
          select e.* from episodes e where e.episode_type = wanted.type and ${wanted} ${order}
        ) e ${order}`
    : sql`select e.* from episodes e where ${wanted} ${order}`;
  const { rows } = await sql<Row>`
    select ${columns} from (${page}) e ${joins}
    order by e.public_from desc, e.id desc`.execute(db);
  return rows.map((row) => toPublicEpisode(row, show));
}

/** By episodes_pkey or episode_slugs' unique place; only what is public at `now`. */
export async function selectPublicEpisode(
  db: Db,
  show: Show,
  ref: { readonly id: string } | { readonly slug: string },
  now: Date,
): Promise<PublicEpisode | undefined> {
  const wanted =
    'id' in ref
      ? sql`e.id = ${ref.id}`
      : sql`e.id = (select s.episode_id from episode_slugs s
          where s.podcast_id = ${show.id} and s.slug = ${ref.slug}) and e.slug = ${ref.slug}`;
  const { rows } = await sql<Row>`
    select ${columns} from episodes e ${joins}
    where e.podcast_id = ${show.id} and e.public_from <= ${now} and ${wanted}`.execute(db);
  return rows[0] && toPublicEpisode(rows[0], show);
}

/** What the feed lists: public episodes with audio; of a paused show those from before the pause. */
export async function selectFeedPage(
  db: Db,
  show: Show,
  page: { readonly number: number; readonly size: number },
  now: Date,
): Promise<PublicEpisode[]> {
  const frozen = show.status === 'paused' && show.pausedAt !== null;
  const until = frozen
    ? sql`e.public_from <= ${show.pausedAt} and e.status_changed_at <= ${show.pausedAt}`
    : sql`e.public_from <= ${now}`;
  const { rows } = await sql<Row>`
    select ${columns} from episodes e ${joins}
    where e.podcast_id = ${show.id} and ${until} and audio.episode_id is not null
    order by e.public_from desc, e.id desc
    limit ${page.size} offset ${(page.number - 1) * page.size}`.execute(db);
  return rows.map((row) => toPublicEpisode(row, show));
}

/** The podcast of an episode that is public at `now`, if there is one. By episodes_pkey. */
export async function selectPodcastOfEpisode(
  db: Db,
  episodeId: string,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('episodes')
    .select('podcast_id')
    .where('id', '=', episodeId)
    .where('public_from', '<=', now)
    .executeTakeFirst();
  return row?.podcast_id;
}

/** The episode's current slug under one it has or had. By episode_slugs_pkey. */
export async function selectCurrentEpisodeSlug(
  db: Db,
  podcastId: string,
  slug: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('episode_slugs as used')
    .innerJoin('episodes as e', 'e.id', 'used.episode_id')
    .select('e.slug')
    .where('used.podcast_id', '=', podcastId)
    .where('used.slug', '=', slug)
    .executeTakeFirst();
  return row?.slug;
}
