import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { TranscriptPage, TranscriptSegment } from './transcript.ts';

type FoundTranscript = Omit<TranscriptPage, 'items' | 'next'> & {
  readonly segments: readonly TranscriptSegment[];
};

/** By transcripts_pkey, and along transcript_segments_pkey after `after`. */
export async function selectTranscriptPage(
  db: Db,
  episodeId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<FoundTranscript | undefined> {
  const { rows } = await sql<FoundTranscript>`
    select t.language, t.word_count as "wordCount", t.duration_ms as "durationMs",
      t.segment_count as "segmentCount",
      coalesce((select json_agg(json_build_object('position', s.position, 'startMs', s.start_ms,
          'endMs', s.end_ms, 'speaker', s.speaker, 'text', s.body) order by s.position)
        from (select * from transcript_segments s
          where s.episode_id = t.episode_id and s.position > ${after}
          order by s.position limit ${limit}) s), '[]') as segments
    from transcripts t
    where t.episode_id = ${episodeId}`.execute(db);
  return rows[0];
}
