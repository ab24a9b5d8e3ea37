import { sql } from 'kysely';
import { chunksOf } from '../../../lib/chunks-of.ts';
import type { Db } from '../../foundation/database.ts';
import { type IdKind, rowsOfShow } from '../exports/index.ts';

/** The columns that have the ids of a kind. Deleted episodes keep theirs, for their downloads. */
const idColumns: Readonly<Record<IdKind, readonly (readonly [table: string, column: string])[]>> = {
  podcast: [['podcasts', 'id']],
  image: [['images', 'id']],
  episode: [
    ['episodes', 'id'],
    ['deleted_episodes', 'episode_id'],
    ['episode_download_totals', 'episode_id'],
    ['download_request_sums', 'episode_id'],
  ],
  person: [['people', 'id']],
  credit: [['episode_credits', 'id']],
  'platform import': [['platform_imports', 'id']],
};
const idsAtOnce = 5_000;

/** Those of `ids` that exist, in batches. */
export async function* selectTakenIds(
  db: Db,
  kind: IdKind,
  ids: Iterable<string>,
): AsyncGenerator<string[]> {
  for (const some of chunksOf(ids, idsAtOnce)) {
    for (const [table, column] of idColumns[kind]) {
      const { rows } = await sql<{ id: string }>`
        select distinct ${sql.ref(column)} as id from ${sql.table(table)}
        where ${sql.ref(column)} = any (${some}::uuid[])`.execute(db);
      yield rows.map(({ id }) => id);
    }
  }
}

/** PostgreSQL's names of the types of a table's columns. */
export async function selectColumnTypes(db: Db, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    db,
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** How many rows of a table belong to the show. */
export async function countShowRows(db: Db, table: string, podcastId: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from ${rowsOfShow(table, podcastId)} belonging`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** Pictures come after the podcast, so it gets its own when they are there. */
export async function setPictures(
  db: Db,
  podcastId: string,
  pictures: { readonly artwork_id: string | null; readonly header_image_id: string | null },
): Promise<void> {
  await db.updateTable('podcasts').set(pictures).where('id', '=', podcastId).execute();
}

export async function setPageText(
  db: Db,
  podcastId: string,
  pageText: string | null,
): Promise<void> {
  await db
    .updateTable('podcasts')
    .set({ page_text: pageText })
    .where('id', '=', podcastId)
    .execute();
}

export async function setShowNotes(
  db: Db,
  episodeId: string,
  notes: { readonly showNotesHtml: string | null; readonly showNotes: string | null },
): Promise<void> {
  await db
    .updateTable('episodes')
    .set({ show_notes_html: notes.showNotesHtml, show_notes: notes.showNotes })
    .where('id', '=', episodeId)
    .execute();
}

/** The tables of transcripts, those of their segments, and the columns that both have. */
const transcriptTables = [
  ['transcripts', 'transcript_segments', ['episode_id']],
  ['further_transcripts', 'further_transcript_segments', ['episode_id', 'language']],
] as const;

/** Counts the segments of each transcript of these episodes, and their bytes as `countSegmentBytes` does. */
export async function countSegments(db: Db, episodeIds: readonly string[]): Promise<void> {
  for (const [table, segments, keys] of transcriptTables) {
    const isSame = sql.join(
      keys.map((key) => sql`s.${sql.ref(key)} = t.${sql.ref(key)}`),
      sql` and `,
    );
    const key = sql.join(keys.map((one) => sql`t.${sql.ref(one)}`));
    await sql`
      with counted as (
        select ${key}, count(s.position)::integer as segments,
          coalesce(sum(100 + octet_length(s.speaker) + octet_length(s.body)), 0) as bytes
        from ${sql.table(table)} t left join ${sql.table(segments)} s on ${isSame}
        where t.episode_id = any (${episodeIds}::uuid[])
        group by ${key})
      update ${sql.table(table)} t set segment_count = s.segments, text_bytes = s.bytes
      from counted s
      where ${isSame} and (t.segment_count <> s.segments or t.text_bytes <> s.bytes)`.execute(db);
  }
}

/** Whether segments of these episodes are not numbered from 0, or not in the order of their times. */
export async function areSegmentsMixed(db: Db, episodeIds: readonly string[]): Promise<boolean> {
  for (const [, segments, keys] of transcriptTables) {
    const { rows } = await sql`
      select from (
        select s.position, s.start_ms, row_number() over following - 1 as place,
          lag(s.start_ms) over following as before
        from ${sql.table(segments)} s
        where s.episode_id = any (${episodeIds}::uuid[])
        window following as (partition by ${sql.join(keys.map((key) => sql.ref(key)))}
          order by s.position)) s
      where s.position <> s.place or s.start_ms < s.before limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}
