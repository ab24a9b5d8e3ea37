import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { type Part, parts, type SearchedTexts } from './search-blocks.ts';

/** The stems of words, by word. No stems: the word says nothing. */
export async function selectStems(
  db: Db,
  dictionary: string,
  words: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const { rows } = await sql<{ word: string; stems: string[] | null }>`
    select word, ts_lexize(${dictionary}::regdictionary, word) as stems
    from unnest(${words}::text[]) as w (word)`.execute(db);
  return new Map(rows.map(({ word, stems }) => [word, stems ?? [word]]));
}

/** The best block of an episode. */
export interface FoundBlock {
  readonly episodeId: string;
  readonly part: Part;
  readonly block: number;
}

/** The part and the number of a block as one number, in their order. */
const place = sql`part::bigint * 1000000 + block`;
const partOfPlace = sql`(m.place / 1000000)`;
const firstOfTranscript = sql`${sql.lit(parts.transcript)} * 1000000`;

/** From `matching m`: what is public at `now`, and indexed since its last change. By episodes_pkey. */
const publicOf = (podcastId: string, now: Date) => sql`matching m
  join episodes e on e.id = m.episode_id
  where e.podcast_id = ${podcastId} and e.public_from <= ${now}
    and (m.place < ${firstOfTranscript} or e.publish_transcript)
    and (select true from search_queue q where q.episode_id = m.episode_id) is null`;

const bestFirst = sql`${partOfPlace}, e.public_from desc, m.episode_id desc`;

interface FoundLimit {
  readonly limit: number;
  readonly now: Date;
}

/**
 * The episodes of a show that are public and match, with the best block of each: the best part first, then the
 * newest. By search_texts_words.
 */
export async function selectFound(
  db: Db,
  podcastId: string,
  tsquery: string,
  { limit, now }: FoundLimit,
): Promise<FoundBlock[]> {
  const { rows } = await sql<FoundBlock>`
    with matching as materialized (
      select episode_id, min(${place}) as place from search_texts
      where words @@ ${tsquery}::tsquery and podcast_id = ${podcastId} group by episode_id)
    select m.episode_id as "episodeId", ${partOfPlace}::integer as part,
      (m.place % 1000000)::integer as block
    from ${publicOf(podcastId, now)} order by ${bestFirst} limit ${limit}`.execute(db);
  return rows;
}

/** Blocks whose words are compared with a phrase, each in about 40 µs. */
const mostCompared = 300;

/**
 * The same for phrases: `all` has their words, which the index finds without reading blocks. Of words that are in
 * thousands of blocks, only the best and newest ones are compared.
 */
export async function selectFoundPhrases(
  db: Db,
  podcastId: string,
  { all, phrases }: { readonly all: string; readonly phrases: string },
  { limit, now }: FoundLimit,
): Promise<FoundBlock[]> {
  const { rows } = await sql<FoundBlock>`
    with matching as materialized (
      select episode_id, ${place} as place from search_texts
      where words @@ ${all}::tsquery and podcast_id = ${podcastId}),
    compared as materialized (
      select m.episode_id, m.place, e.public_from from ${publicOf(podcastId, now)}
      order by ${bestFirst}, m.place limit ${sql.lit(mostCompared)}),
    best as (
      select m.episode_id, min(m.place) as place, m.public_from from compared m
      join search_texts t on t.episode_id = m.episode_id
        and t.part = ${partOfPlace} and t.block = m.place % 1000000
      where t.words @@ ${phrases}::tsquery group by m.episode_id, m.public_from)
    select m.episode_id as "episodeId", ${partOfPlace}::integer as part,
      (m.place % 1000000)::integer as block
    from best m order by ${partOfPlace}, m.public_from desc, m.episode_id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/**
 * For the rest of the transaction: how long a statement may take, which the embedded database ignores, and that
 * statements use indexes. The planner doesn't know what it costs to read the words of a block.
 */
export async function limitStatements(db: Db, ms: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(ms)}, true),
    set_config('enable_seqscan', 'off', true)`.execute(db);
}

/** Where in a block the words of a search are. */
export interface FoundPlace {
  readonly episodeId: string;
  readonly firstSegment: number;
  readonly segmentStarts: readonly number[];
  /** For each word that was found, its positions, from 1. */
  readonly matches: readonly (readonly number[])[];
}

/** Words that begin like the one that somebody is typing. */
const mostBegun = 30;

/**
 * By search_texts_pkey. The lexemes and the beginning have the prefix of the show. A weight marks what was searched
 * for, because `unnest` takes long for all words. They are sorted by their bytes.
 */
export async function selectPlaces(
  db: Db,
  blocks: readonly FoundBlock[],
  {
    lexemes,
    beginning,
  }: { readonly lexemes: readonly string[]; readonly beginning: string | null },
): Promise<FoundPlace[]> {
  const begun = sql`(select array_agg(word) from unnest(every.words[greatest(b.n, 1):b.n + ${sql.lit(mostBegun)}]) word
    where starts_with(word, ${beginning}))`;
  const { rows } = await sql<FoundPlace>`
    select t.episode_id as "episodeId", t.first_segment as "firstSegment",
      t.segment_starts as "segmentStarts", (
        select coalesce(json_agg(to_json(l.positions)), '[]') from unnest(
          ts_filter(setweight(t.words, 'A', ${lexemes}::text[] || begun.words), '{a}')) l
      ) as matches
    from jsonb_to_recordset(${JSON.stringify(blocks)}::jsonb)
      as f ("episodeId" uuid, part smallint, block integer)
    join search_texts t on t.episode_id = f."episodeId" and t.part = f.part and t.block = f.block
    ${
      beginning === null
        ? sql`cross join (select null::text[] as words) begun`
        : sql`cross join lateral (select tsvector_to_array(t.words) as words offset 0) every
      cross join lateral (
        select width_bucket(${beginning}::text collate "C", every.words) as n offset 0) b
      cross join lateral (select ${begun} as words offset 0) begun`
    }`.execute(db);
  return rows;
}

/** A longer segment is shown without its end. */
const segmentChars = 2_000;

export interface SpokenSegment {
  readonly episodeId: string;
  readonly position: number;
  readonly startMs: number;
  readonly speaker: string;
  readonly text: string;
}

/** Of each episode, the segments around one position, in order. By transcript_segments_pkey. */
export async function selectSpokenSegments(
  db: Db,
  places: readonly { readonly episodeId: string; readonly position: number }[],
  { before, after }: { readonly before: number; readonly after: number },
): Promise<SpokenSegment[]> {
  const { rows } = await sql<SpokenSegment>`
    select s.episode_id as "episodeId", s.position, s.start_ms as "startMs", s.speaker,
      left(s.body, ${sql.lit(segmentChars)}) as text
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p ("episodeId" uuid, position integer)
    join episodes e on e.id = p."episodeId" and e.publish_transcript
    join transcript_segments s on s.episode_id = p."episodeId"
      and s.position between p.position - ${before}::integer and p.position + ${after}::integer
    order by s.episode_id, s.position`.execute(db);
  return rows;
}

/** So much of each text is read for a result. */
const noteChars = 20_000;

/** The texts of episodes. By episodes_pkey. */
export async function selectNotes(
  db: Db,
  episodeIds: readonly string[],
): Promise<(SearchedTexts & { readonly episodeId: string })[]> {
  const { rows } = await sql<SearchedTexts & { readonly episodeId: string }>`
    select id as "episodeId", title, subtitle, left(description, ${sql.lit(noteChars)}) as description,
      left(show_notes, ${sql.lit(noteChars)}) as "showNotes"
    from episodes where id = any (${episodeIds}::uuid[])`.execute(db);
  return rows;
}

/** Of these words, those whose stem is one of `stems`. */
export async function selectWordsOfStems(
  db: Db,
  dictionary: string,
  words: readonly string[],
  stems: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) as w (word)
    where ts_lexize(${dictionary}::regdictionary, word) && ${stems}::text[]`.execute(db);
  return new Set(rows.map(({ word }) => word));
}
