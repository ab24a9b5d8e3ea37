import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { type PublicPodcastState, verifiedDomain } from '../podcasts/index.ts';
import type { StoredAudio } from './episode.ts';
import type { MemberEpisode, MemberEpisodeDetail, ShowNotes } from './member-episode.ts';
import { type EpisodeRow, episodeColumns, toEpisode } from './member-episodes.sql.ts';

type Texts = Pick<MemberEpisodeDetail, 'explicit' | 'description' | 'showNotes' | 'showNotesHtml'>;

interface FoundEpisode {
  readonly episode: MemberEpisode & Texts;
  readonly show: PublicPodcastState;
  readonly mediaName: string;
  readonly audio: StoredAudio | null;
  readonly media: Omit<MemberEpisodeDetail['media'], 'audio'>;
}

type Row = EpisodeRow &
  Texts &
  Pick<FoundEpisode, 'show' | 'mediaName' | 'audio'> &
  FoundEpisode['media'];

/** By primary keys. */
export async function selectEpisodeDetail(
  db: Db,
  episodeId: string,
  now: Date,
): Promise<FoundEpisode | undefined> {
  const { rows } = await sql<Row>`
    select ${episodeColumns}, e.explicit, e.description, e.show_notes as "showNotes",
      e.show_notes_html as "showNotesHtml", e.media_name as "mediaName",
      json_build_object('status', p.status,
        'statusBeforeSuspension', p.status_before_suspension) as show,
      case when audio.episode_id is not null then json_build_object(
        'contentType', audio.content_type, 'extension', audio.extension,
        'sizeBytes', audio.size_bytes, 'durationMs', audio.duration_ms,
        'sourceUrl', case when audio.blob_key is null then audio.source_url end) end as audio,
      case when artwork.id is not null then json_build_object(
        'id', artwork.id, 'contentType', artwork.content_type) end as artwork,
      chapter.episode_id is not null as "hasChapters",
      case when e.publish_transcript then t.has_times end as "transcriptHasTimes"
    from episodes e
    join podcasts p on p.id = e.podcast_id
    left join audio_files audio on audio.episode_id = e.id
    left join images artwork on artwork.id = e.artwork_id
    left join chapters chapter on chapter.episode_id = e.id
    left join transcripts t on t.episode_id = e.id
    where e.id = ${episodeId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { explicit, description, showNotes, showNotesHtml } = row;
  const { show, mediaName, audio, artwork, hasChapters, transcriptHasTimes } = row;
  const texts = { explicit, description, showNotes, showNotesHtml };
  return {
    episode: { ...toEpisode(row, now), ...texts },
    show,
    mediaName,
    audio,
    media: { artwork, hasChapters, transcriptHasTimes },
  };
}

/** By episodes_pkey. */
export function selectShowNotes(db: Db, episodeId: string): Promise<ShowNotes | undefined> {
  return db
    .selectFrom('episodes')
    .select([
      'show_notes as showNotes',
      'show_notes_html as showNotesHtml',
      'updated_at as updatedAt',
    ])
    .where('id', '=', episodeId)
    .executeTakeFirst();
}

/** What belongs to an episode besides its own row. */
export interface EpisodeParts {
  readonly podcastSlug: string;
  readonly podcastDomain: string | null;
  readonly updatedAt: Date;
  readonly audio: (StoredAudio & { readonly sha256: string | null }) | null;
  readonly transcript: { readonly language: string; readonly segmentCount: number } | null;
  readonly chapterCount: number;
  readonly peaks: Uint8Array | null;
  readonly peaksDurationMs: number | null;
  /** True while the waveform is to be drawn. */
  readonly isBeingDrawn: boolean;
}

/** By primary keys. */
export async function selectEpisodeParts(
  db: Db,
  episodeId: string,
): Promise<EpisodeParts | undefined> {
  const { rows } = await sql<EpisodeParts>`
    select p.slug as "podcastSlug", ${verifiedDomain('p')} as "podcastDomain", e.updated_at as "updatedAt",
      case when audio.episode_id is not null then json_build_object(
        'contentType', audio.content_type, 'extension', audio.extension,
        'sizeBytes', audio.size_bytes, 'durationMs', audio.duration_ms, 'sha256', audio.sha256,
        'sourceUrl', case when audio.blob_key is null then audio.source_url end) end as audio,
      case when t.episode_id is not null then json_build_object(
        'language', t.language, 'segmentCount', t.segment_count) end as transcript,
      coalesce(jsonb_array_length(c.chapters), 0) as "chapterCount",
      w.peaks, w.duration_ms as "peaksDurationMs", coalesce(w.due_at is not null and w.attempts < 3, false) as "isBeingDrawn"
    from episodes e
    join podcasts p on p.id = e.podcast_id
    left join audio_files audio on audio.episode_id = e.id
    left join transcripts t on t.episode_id = e.id
    left join chapters c on c.episode_id = e.id
    left join waveforms w on w.sha256 = audio.sha256
    where e.id = ${episodeId}`.execute(db);
  return rows[0];
}
