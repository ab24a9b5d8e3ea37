import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

/** A segment by its position, with the fields that people correct. */
export interface EditableSegment {
  readonly index: number;
  readonly speaker: string;
  readonly text: string;
}

/** By transcript_segments_pkey. */
export async function selectSegments(
  db: Db,
  episodeId: string,
  positions: readonly number[],
): Promise<EditableSegment[]> {
  const { rows } = await sql<EditableSegment>`
    select position as index, speaker, body as text from transcript_segments
    where episode_id = ${episodeId} and position = any(${positions}::integer[])
    order by position`.execute(db);
  return rows;
}

/** Writes the words of these segments. By transcript_segments_pkey and transcripts_pkey. */
export async function updateSegments(
  db: Db,
  episodeId: string,
  change: {
    readonly segments: readonly EditableSegment[];
    readonly addedWords: number;
    readonly addedBytes: number;
    readonly updatedAt: Date;
  },
): Promise<void> {
  const { segments, addedWords, addedBytes, updatedAt } = change;
  await sql`
    with edited as (
      update transcript_segments s set speaker = given.speaker, body = given.text
      from jsonb_to_recordset(${JSON.stringify(segments)}::jsonb)
        as given(index integer, speaker text, text text)
      where s.episode_id = ${episodeId} and s.position = given.index)
    update transcripts set word_count = word_count + ${addedWords},
      text_bytes = text_bytes + ${addedBytes}, updated_at = ${updatedAt}
    where episode_id = ${episodeId}`.execute(db);
}
