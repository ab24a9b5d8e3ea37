import { type RawBuilder, sql } from 'kysely';
import { episodeFields } from '../../../lib/fields/episode-fields.ts';
import { columnList, type Db } from '../../foundation/database.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import type { EpisodeFields } from '../../publishing/episodes/index.ts';
import type { Chapter } from '../../publishing/transcripts/index.ts';

const exportedFields = [...Object.keys(episodeFields), 'extraElements'];

export interface ExportedEpisode extends Omit<EpisodeFields, 'guidIsPermalink'> {
  readonly id: string;
  readonly guid: string;
  readonly status: EpisodeStatus;
  readonly numberGiven: boolean;
  readonly publishedAt: Date | null;
  readonly scheduledFor: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly artworkId: string | null;
  readonly audio: ExportedAudio | null;
  readonly credits: readonly { name: string; role: string; group: string }[];
  readonly chapters: readonly Chapter[] | null;
  /** Languages: the first, then the others. */
  readonly transcriptLanguage: string | null;
  readonly furtherLanguages: readonly string[];
  readonly downloads: number;
}

/** Without a copy here there is no `blobKey`: the audio is elsewhere. */
export interface ExportedAudio {
  readonly blobKey: string | null;
  readonly extension: string;
  readonly contentType: string;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
  readonly sha256: string | null;
}

/** One statement for a batch; by primary keys, and episode_credits_in_order. */
export async function selectExportedEpisodes(
  db: Db,
  ids: readonly string[],
): Promise<ExportedEpisode[]> {
  const { rows } = await sql<ExportedEpisode>`
    select e.id, coalesce(e.guid, e.id::text) as guid, ${columnList('e', exportedFields)},
      e.number_given as "numberGiven",
      e.status, e.published_at as "publishedAt", e.scheduled_for as "scheduledFor",
      e.created_at as "createdAt", e.updated_at as "updatedAt", e.artwork_id as "artworkId",
      case when audio.episode_id is not null then json_build_object('blobKey', audio.blob_key,
        'extension', audio.extension, 'contentType', audio.content_type,
        'sizeBytes', audio.size_bytes, 'durationMs', audio.duration_ms, 'sha256', audio.sha256)
        end as audio,
      (select coalesce(json_agg(json_build_object('name', person.name, 'role', credit.role,
          'group', credit."group") order by credit.position, credit.id), '[]')
        from episode_credits credit join people person on person.id = credit.person_id
        where credit.episode_id = e.id) as credits,
      c.chapters, t.language as "transcriptLanguage",
      (select coalesce(json_agg(f.language order by f.language), '[]')
        from further_transcripts f where f.episode_id = e.id) as "furtherLanguages",
      coalesce(total.downloads, 0) as downloads
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
    join episodes e on e.id = wanted.id
    left join audio_files audio on audio.episode_id = e.id
    left join chapters c on c.episode_id = e.id
    left join transcripts t on t.episode_id = e.id
    left join episode_download_totals total on total.episode_id = e.id
    order by wanted.place`.execute(db);
  return rows;
}

/**
 * The audio and pictures of a show: `path` in an export, `key` in the file store, `size_bytes`. `podcastId` is a
 * UUID.
 */
export function filesOfShow(podcastId: string): RawBuilder<unknown> {
  const id = sql`${sql.lit(podcastId)}::uuid`;
  return sql`(
    select 'episodes/' || e.slug || '/audio.' || audio.extension as path, audio.blob_key as key,
      audio.size_bytes
    from episodes e join audio_files audio on audio.episode_id = e.id
    where e.podcast_id = ${id} and audio.blob_key is not null
    union all
    select 'images/' || id || extension, 'images/' || id || '/original' || extension, size_bytes
    from (select *, case content_type when 'image/png' then '.png' else '.jpg' end as extension
      from images where podcast_id = ${id}) pictures)`;
}

/** Of all time. By episode_download_totals_by_podcast. */
export async function sumDownloadsOf(db: Db, podcastId: string): Promise<number> {
  const { rows } = await sql<{ downloads: number }>`
    select coalesce(sum(downloads), 0)::bigint as downloads from episode_download_totals
    where podcast_id = ${podcastId}`.execute(db);
  return rows[0]?.downloads ?? 0;
}

/** By podcast_download_days_pkey. */
export function selectDownloadDays(
  db: Db,
  podcastId: string,
): Promise<{ day: string; downloads: number; listeners: number }[]> {
  return db
    .selectFrom('podcast_download_days')
    .select(['day', 'downloads', 'listeners'])
    .where('podcast_id', '=', podcastId)
    .orderBy('day')
    .execute();
}
