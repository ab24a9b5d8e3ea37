import { type RawBuilder, sql } from 'kysely';
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
 * The last segment of the published first transcript that begins before `untilMs`, with those around it. Segments are in
 * the order of their times, so it halves those that are left each time: a transcript may have 100,000. By
 * transcripts_pkey, episodes_pkey and transcript_segments_pkey.
 */
export async function selectSegmentsAround(
  db: Db,
  episodeId: string,
  untilMs: number,
): Promise<SegmentsAround | undefined> {
  const begins = (position: RawBuilder<unknown>) => sql`coalesce((select s.start_ms < ${untilMs}
    from transcript_segments s where s.episode_id = ${episodeId} and s.position = ${position}), false)`;
  const { rows } = await sql<SegmentsAround>`
    with recursive search (low, high) as (
      select 0, t.segment_count from transcripts t
      join episodes e on e.id = t.episode_id and e.publish_transcript
      where t.episode_id = ${episodeId} and t.has_times
      union all
      select case when is_before then middle else low end,
        case when is_before then high else middle end
      from search cross join lateral (select (low + high) / 2 as middle offset 0) m
      cross join lateral (select ${begins(sql`middle`)} as is_before offset 0) b
      where high - low > 1)
    select around.segments, found.low - around.first as index
    from search found
    cross join lateral (select min(s.position) as first,
        json_agg(json_build_object('startMs', s.start_ms, 'endMs', s.end_ms,
          'speaker', s.speaker, 'text', s.body) order by s.position) as segments
      from transcript_segments s where s.episode_id = ${episodeId}
        and s.position between found.low - ${neighbors} and found.low + ${neighbors}) around
    where found.high - found.low <= 1 and ${begins(sql`found.low`)}`.execute(db);
  return rows[0];
}
