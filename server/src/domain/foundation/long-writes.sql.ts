import { sql } from 'kysely';
import type { Db } from './database.ts';

/** The bytes of an episode's transcripts in all languages, with something for each segment. By their primary keys. */
export async function selectTranscriptBytes(db: Db, episodeId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(text_bytes), 0)::float8 as bytes from (
      select text_bytes from transcripts where episode_id = ${episodeId}
      union all select text_bytes from further_transcripts where episode_id = ${episodeId}
    ) texts`.execute(db);
  return rows[0]?.bytes ?? 0;
}
