import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { Segment } from './transcript.ts';

/** A sentence in captions rarely has more before or after the one of its middle. */
const neighbors = 12;

/** What is said around a moment. */
export interface SegmentsAround {
  readonly segments: readonly Segment[];
  /** Of the segment that began last, in `segments`. */
  readonly index: number;
}

/**
 * The last segment of the published first transcript that begins before `untilMs`, with those around it.
 * By transcripts_pkey, episodes_pkey, and along transcript_segments_pkey.
 */
export async function selectSegmentsAround(
  db: Db,
  episodeId: string,
  untilMs: number,
): Promise<SegmentsAround | undefined> {
  const { rows } = await sql<SegmentsAround>`
    select around.segments, at.position - around.first as index
    from transcripts t
    join episodes e on e.id = t.episode_id and e.publish_transcript
    cross join lateral (select s.position from transcript_segments s
      where s.episode_id = t.episode_id and s.start_ms < ${untilMs}
      order by s.position desc limit 1) at
    cross join lateral (select min(s.position) as first,
        json_agg(json_build_object('startMs', s.start_ms, 'endMs', s.end_ms,
          'speaker', s.speaker, 'text', s.body) order by s.position) as segments
      from transcript_segments s where s.episode_id = t.episode_id
        and s.position between at.position - ${neighbors} and at.position + ${neighbors}) around
    where t.episode_id = ${episodeId} and t.has_times`.execute(db);
  return rows[0];
}
