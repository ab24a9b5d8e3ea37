import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { StoredAudio } from './public-audio.ts';

/** What belongs to an episode besides its own row. */
export interface EpisodeParts {
  readonly podcastSlug: string;
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
    select p.slug as "podcastSlug", e.updated_at as "updatedAt",
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
