import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Chapter } from './chapter.ts';
import type { Segment, Transcript } from './transcript.ts';

/** Replaces the transcript whole: one statement for its row, one for all segments. */
export async function replaceTranscript(
  db: Db,
  episodeId: string,
  transcript: Transcript & { readonly language: string },
  updatedAt: Date,
): Promise<void> {
  const { segments } = transcript;
  await db.deleteFrom('transcripts').where('episode_id', '=', episodeId).execute();
  await db
    .insertInto('transcripts')
    .values({
      episode_id: episodeId,
      language: transcript.language,
      word_count: transcript.wordCount,
      duration_ms: transcript.durationMs,
      segment_count: segments.length,
      updated_at: updatedAt,
    })
    .execute();
  await sql`
    insert into transcript_segments (episode_id, position, start_ms, end_ms, speaker, body)
    select ${episodeId}::uuid, s.position - 1, (s.segment ->> 'startMs')::integer,
      (s.segment ->> 'endMs')::integer, s.segment ->> 'speaker', s.segment ->> 'text'
    from jsonb_array_elements(${JSON.stringify(segments)}::jsonb)
      with ordinality as s(segment, position)`.execute(db);
}

/** By transcripts_pkey and transcript_segments_pkey. */
export async function selectTranscript(
  db: Db,
  episodeId: string,
): Promise<{ language: string; segments: Segment[]; publish: boolean } | undefined> {
  const { rows } = await sql<{ language: string; publish: boolean; segments: Segment[] | null }>`
    select t.language, e.publish_transcript as publish,
      (select json_agg(json_build_object('startMs', s.start_ms, 'endMs', s.end_ms,
          'speaker', s.speaker, 'text', s.body) order by s.position)
        from transcript_segments s where s.episode_id = t.episode_id) as segments
    from transcripts t join episodes e on e.id = t.episode_id
    where t.episode_id = ${episodeId}`.execute(db);
  return rows[0] && { ...rows[0], segments: rows[0].segments ?? [] };
}

export async function replaceChapters(
  db: Db,
  episodeId: string,
  chapters: readonly Chapter[],
  updatedAt: Date,
): Promise<void> {
  const columns = { chapters: JSON.stringify(chapters), updated_at: updatedAt };
  await db
    .insertInto('chapters')
    .values({ episode_id: episodeId, ...columns })
    .onConflict((conflict) => conflict.column('episode_id').doUpdateSet(columns))
    .execute();
}

/** By chapters_pkey. */
export async function selectChapters(db: Db, episodeId: string): Promise<Chapter[] | undefined> {
  const row = await db
    .selectFrom('chapters')
    .select('chapters')
    .where('episode_id', '=', episodeId)
    .executeTakeFirst();
  return row?.chapters as unknown as Chapter[] | undefined;
}
