import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

const idBytes = 16;

/**
 * Those of a podcast, the newest first, in batches, without hyphens. They are read at once, because an
 * episode may move in the list in the meantime, and kept as bytes: 100,000 take 1.6 MB. By episodes_listed.
 */
export async function* selectEpisodeIds(
  db: Db,
  podcastId: string,
  batch: number,
): AsyncGenerator<string[]> {
  const { rows } = await sql<{ ids: Buffer | null }>`
    select string_agg(uuid_send(id), '' order by listed_at desc, id desc) as ids
    from episodes where podcast_id = ${podcastId}`.execute(db);
  const ids = rows[0]?.ids ?? Buffer.of();
  for (let from = 0; from < ids.length; from += batch * idBytes) {
    const some: string[] = [];
    const to = Math.min(ids.length, from + batch * idBytes);
    for (let at = from; at < to; at += idBytes) some.push(ids.toString('hex', at, at + idBytes));
    yield some;
  }
}
