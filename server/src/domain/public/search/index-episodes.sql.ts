import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { segmentsAtOnce } from '../../publishing/transcripts/index.ts';
import type { Block, SearchedTexts } from './search-blocks.ts';

/** Locks the newest queued episode that nobody else has locked. By search_queue_pkey. */
export async function lockQueued(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('search_queue')
    .select('episode_id as episodeId')
    .orderBy('episode_id', 'desc')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row?.episodeId;
}

export async function deleteQueued(db: Db, episodeId: string): Promise<void> {
  await db.deleteFrom('search_queue').where('episode_id', '=', episodeId).execute();
}

/** Of a database without triggers, as while a backup is restored. */
export async function queueAllEpisodes(db: Db): Promise<void> {
  await sql`
    insert into search_queue (episode_id) select id from episodes on conflict do nothing`.execute(
    db,
  );
}

interface IndexedEpisode extends SearchedTexts {
  readonly podcastId: string;
  readonly language: string;
}

/** By episodes_pkey and podcasts_pkey. */
export function selectSearchedTexts(
  db: Db,
  episodeId: string,
): Promise<IndexedEpisode | undefined> {
  return db
    .selectFrom('episodes as e')
    .innerJoin('podcasts as p', 'p.id', 'e.podcast_id')
    .select(['e.podcast_id as podcastId', 'p.language', 'e.title', 'e.subtitle', 'e.description'])
    .select('e.show_notes as showNotes')
    .where('e.id', '=', episodeId)
    .executeTakeFirst();
}

/** The first transcript, published or not. By transcript_segments_pkey. */
export async function* selectSegmentTexts(db: Db, episodeId: string): AsyncGenerator<string[]> {
  for (let from = 0; ; ) {
    const { rows } = await sql<{ body: string }>`
      select body from (
        select position, body, sum(length(body)) over (order by position) - length(body) as before
        from transcript_segments where episode_id = ${episodeId}
          and position >= ${from} and position < ${from + segmentsAtOnce.count}) s
      where before < ${segmentsAtOnce.chars} order by position`.execute(db);
    if (rows.length === 0) return;
    yield rows.map(({ body }) => body);
    from += rows.length;
  }
}

/** Each takes some milliseconds, in which the embedded database does nothing else. */
const blocksAtOnce = 4;

/** In the caller's transaction. Words consist of letters and digits, so nothing in them has to be quoted. */
export async function replaceBlocks(
  db: Db,
  episodeId: string,
  blocks: readonly Block[],
  of: { readonly podcastId: string; readonly prefix: string; readonly dictionary: string },
): Promise<void> {
  await db.deleteFrom('search_texts').where('episode_id', '=', episodeId).execute();
  for (let from = 0; from < blocks.length; from += blocksAtOnce) {
    const some = JSON.stringify(blocks.slice(from, from + blocksAtOnce));
    await sql`
      insert into search_texts
        (episode_id, podcast_id, part, block, first_segment, segment_starts, words)
      select ${episodeId}::uuid, ${of.podcastId}::uuid, b.part, b.block, b."firstSegment",
        b."segmentStarts",
        (select coalesce(string_agg(
            '''' || ${of.prefix}::text || lexeme || ''':' || w.positions, ' '), '')::tsvector
          from jsonb_each_text(b.words) w (word, positions) cross join lateral (
            select w.word union select unnest(ts_lexize(${of.dictionary}::regdictionary, w.word))
          ) each (lexeme))
      from jsonb_to_recordset(${some}::jsonb) as b (part smallint, block integer,
        "firstSegment" integer, "segmentStarts" integer[], words jsonb)`.execute(db);
  }
}
