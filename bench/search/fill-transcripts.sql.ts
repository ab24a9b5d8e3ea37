import { sql } from 'kysely';
import type { Db } from '../../server/src/domain/foundation/database.ts';

/** The episodes of a show, the oldest first. */
export async function selectEpisodeIds(db: Db, podcastId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from episodes where podcast_id = ${podcastId} order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Published transcripts, with a segment of four seconds for each text. */
export async function insertTranscripts(
  db: Db,
  transcripts: readonly { readonly episodeId: string; readonly texts: readonly string[] }[],
): Promise<void> {
  const given = JSON.stringify(transcripts);
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into transcripts (episode_id, language, word_count, duration_ms, segment_count,
        text_bytes, updated_at)
      select t."episodeId", 'en', 10 * jsonb_array_length(t.texts), 4000 * jsonb_array_length(t.texts),
        jsonb_array_length(t.texts), 160 * jsonb_array_length(t.texts), now()
      from jsonb_to_recordset(${given}::jsonb) as t ("episodeId" uuid, texts jsonb)`.execute(tx);
    await sql`
      insert into transcript_segments (episode_id, position, start_ms, end_ms, speaker, body)
      select t."episodeId", s.n - 1, (s.n - 1) * 4000, s.n * 4000,
        case when (s.n / 20) % 2 = 0 then 'Ana' else 'Bo' end, s.text
      from jsonb_to_recordset(${given}::jsonb) as t ("episodeId" uuid, texts jsonb)
      cross join lateral jsonb_array_elements_text(t.texts) with ordinality as s (text, n)`.execute(
      tx,
    );
    await sql`update episodes set publish_transcript = true
      where id in (select (t ->> 'episodeId')::uuid from jsonb_array_elements(${given}::jsonb) t)`.execute(
      tx,
    );
  });
}
