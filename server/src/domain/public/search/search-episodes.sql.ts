import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { type Part, parts, type SearchedTexts } from './search-blocks.ts';

/** The stems of words. No stems: the word says nothing. */
export async function selectStems(
  db: Db,
  dictionary: string,
  words: readonly string[],
): Promise<{ readonly word: string; readonly stems: readonly string[] }[]> {
  const { rows } = await sql<{ word: string; stems: string[] }>`
    select word, coalesce(ts_lexize(${dictionary}::regdictionary, word), array[word]) as stems
    from unnest(${words}::text[]) as w (word)`.execute(db);
  return rows;
}

/** The best block of an episode. */
export interface FoundBlock {
  readonly episodeId: string;
  readonly part: Part;
  readonly block: number;
}

/** The part and the number of a block as one number, in their order. */
const place = sql`part * 1000000 + block`;
const transcript = sql.lit(parts.transcript);
const firstOfTranscript = sql`${transcript} * 1000000`;

interface BlockSearch {
  readonly podcastId: string;
  readonly tsquery: string;
  /** Whether to return all blocks of an episode that match, not only the best one. */
  readonly everyBlock: boolean;
  readonly limit: number;
  readonly now: Date;
}

/** The queue is usually empty, which one look tells for all episodes. */
const isIndexed = sql`(not exists (select from search_queue)
  or (select true from search_queue q where q.episode_id = e.id) is null)`;

/** The transcripts of the newest `count` episodes, as the episode `e` and its blocks `b`. By episodes_public. */
const newestSpoken = (
  { podcastId, now }: BlockSearch,
  count: number,
  blocks: RawBuilder<unknown>,
) =>
  sql`(
    select id, public_from, publish_transcript from episodes
    where podcast_id = ${podcastId} and public_from <= ${now}
    order by public_from desc, id desc limit ${sql.lit(count)}) e
  cross join lateral ${blocks} b where e.publish_transcript and ${isIndexed}`;

/** Of the blocks of `e`, those that match. `offset 0`: the index of words has no use for one episode. */
const matchingBlocks = (
  tsquery: string,
  isWanted: RawBuilder<unknown>,
  limit: RawBuilder<unknown>,
) =>
  sql`(
    select b.episode_id, b.place from (
      select episode_id, ${place} as place, words from search_texts
      where episode_id = e.id and part = ${transcript} and ${isWanted} order by block offset 0) b
    where b.words @@ ${tsquery}::tsquery ${limit})`;

/** Words in some of the beginnings of the newest transcripts are soon found in others, too. */
const sampled = { episodes: 50, matches: 6 } as const;
/** Transcripts. Each block takes some 15 µs on the embedded database. */
const mostRead = 100;

/**
 * Like `selectFound`, but of transcripts, only the newest are read, and only if the words are frequent there. If
 * it finds fewer than `limit`, there may be more. For a word in thousands of blocks, `selectFound` reads the rows
 * of all of them. By search_texts_written and search_texts_pkey.
 */
export function selectNewestFound(db: Db, search: BlockSearch): Promise<FoundBlock[]> {
  const { podcastId, tsquery, everyBlock, limit } = search;
  const [all, first] = [sql`true`, sql`block = 0`];
  const some = everyBlock ? sql`` : sql`limit 1`;
  return selectBest(
    db,
    search,
    sql`
      select episode_id, ${place} as place from search_texts
      where words @@ ${tsquery}::tsquery and podcast_id = ${podcastId} and part < ${transcript}
      union all (
        select b.episode_id, b.place
        from ${newestSpoken(search, mostRead, matchingBlocks(tsquery, all, some))}
          and ${sql.lit(sampled.matches)} <= (select count(*)
            from ${newestSpoken(search, sampled.episodes, matchingBlocks(tsquery, first, sql``))})
        order by e.public_from desc, e.id desc limit ${sql.lit(limit)})`,
  );
}

/**
 * The blocks of public episodes of a show that match: the best part first, then the newest. Of each episode, only
 * the best one, unless every block is wanted. By search_texts_words.
 */
export function selectFound(db: Db, search: BlockSearch): Promise<FoundBlock[]> {
  const { podcastId, tsquery } = search;
  return selectBest(
    db,
    search,
    sql`select episode_id, ${place} as place from search_texts
      where words @@ ${tsquery}::tsquery and podcast_id = ${podcastId}`,
  );
}

/** Of more matches than `few`, those of the newest `episodes` are enough, if they fill the results. */
const newest = { few: 300, episodes: 5_000 } as const;

/**
 * Of `blocks`, what is public and indexed since its last change. To look up each episode of thousands takes longer
 * than to find them: from the newest on, most are never looked at. By episodes_public and episodes_pkey.
 */
async function selectBest(
  db: Db,
  { podcastId, everyBlock, limit, now }: BlockSearch,
  blocks: RawBuilder<unknown>,
): Promise<FoundBlock[]> {
  const matching = everyBlock
    ? blocks
    : sql`select episode_id, min(place) as place from (${blocks}) b group by episode_id`;
  const { rows } = await sql<FoundBlock>`
    with matching as materialized (${matching}),
    newest as materialized (
      select e.id from (
        select id, public_from, publish_transcript from episodes
        where podcast_id = ${podcastId} and public_from <= ${now}
        order by public_from desc, id desc limit ${sql.lit(newest.episodes)}) e
      where (select count(*) from matching) > ${sql.lit(newest.few)} and e.publish_transcript
        and (e.id in (select episode_id from matching)) is true and ${isIndexed}
      order by e.public_from desc, e.id desc limit ${sql.lit(limit)})
    select m.episode_id as "episodeId", m.place / 1000000 as part, m.place % 1000000 as block
    from matching m join episodes e on e.id = m.episode_id
    where e.podcast_id = ${podcastId} and e.public_from <= ${now}
      and (m.place < ${firstOfTranscript} or (select count(*) from newest) < ${sql.lit(limit)}
        or m.episode_id in (select id from newest))
      and (m.place < ${firstOfTranscript} or e.publish_transcript) and ${isIndexed}
    order by m.place / 1000000, e.public_from desc, e.id desc, m.place
    limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/**
 * Those of these blocks in which words follow each other, in the same order. Each takes about 40 µs. By
 * search_texts_pkey.
 */
export async function selectWithPhrases(
  db: Db,
  blocks: readonly FoundBlock[],
  phrases: string,
): Promise<FoundBlock[]> {
  const { rows } = await sql<FoundBlock>`
    select b."episodeId", b.part, b.block
    from rows from (jsonb_to_recordset(${JSON.stringify(blocks)}::jsonb)
      as ("episodeId" uuid, part smallint, block integer)) with ordinality
      as b ("episodeId", part, block, n)
    cross join lateral (select words from search_texts
      where episode_id = b."episodeId" and part = b.part and block = b.block offset 0) t
    where t.words @@ ${phrases}::tsquery order by b.n`.execute(db);
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
  /** For each word that was found, its positions, from 1. */
  readonly matches: readonly (readonly number[])[];
}

/** Of the words that begin like the one that somebody is typing: some 30, or fewer that are frequent. */
const begunBytes = 600;

/**
 * Where these words are in blocks. By search_texts_pkey. The lexemes and the beginning have the prefix of the show. A
 * weight marks lexemes, because `unnest` takes long for all words. Those that begin alike follow each other in the
 * binary format, which takes half as long as an array of all words.
 */
export async function selectPlaces(
  db: Db,
  blocks: readonly FoundBlock[],
  {
    lexemes,
    beginning,
  }: { readonly lexemes: readonly string[]; readonly beginning: string | undefined },
): Promise<FoundPlace[]> {
  const first = sql`nullif(position(${Buffer.from(beginning ?? '')}::bytea in every.words), 0)`;
  const begun =
    beginning === undefined
      ? sql`null::bytea`
      : sql`(select substring(every.words from ${first} for ${sql.lit(begunBytes)})
        from (select tsvectorsend(t.words) as words offset 0) every)`;
  const { rows } = await sql<FoundPlace & { readonly begun: Buffer | null }>`
    select t.episode_id as "episodeId", (
        select coalesce(json_agg(to_json(l.positions)), '[]') from unnest(
          ts_filter(setweight(t.words, 'A', ${lexemes}::text[]), '{a}')) l
      ) as matches, ${begun} as begun
    from jsonb_to_recordset(${JSON.stringify(blocks)}::jsonb)
      as f ("episodeId" uuid, part smallint, block integer)
    cross join lateral (select * from search_texts
      where episode_id = f."episodeId" and part = f.part and block = f.block offset 0) t`.execute(
    db,
  );
  const isFurther = (word: string) => !lexemes.includes(word);
  return rows.map(({ episodeId, matches, begun }) => {
    const words = begun === null ? [] : [...readBegun(begun, beginning ?? '')];
    const further = words.filter(([word]) => isFurther(word)).map(([, positions]) => positions);
    return { episodeId, matches: [...matches, ...further] };
  });
}

/** Words with their positions in the binary format of a `tsvector`, until one begins otherwise. */
function* readBegun(bytes: Buffer, beginning: string): Generator<[string, number[]]> {
  for (let at = 0; ; ) {
    const end = bytes.indexOf(0, at);
    const word = bytes.toString('utf8', at, Math.max(at, end));
    if (!word.startsWith(beginning) || end + 3 > bytes.length) return;
    const count = bytes.readUInt16BE(end + 1);
    at = end + 3 + 2 * count;
    const read = Math.min(count, Math.floor((bytes.length - end - 3) / 2));
    // The first two bits are the weight.
    const positionOf = (n: number) => bytes.readUInt16BE(end + 3 + 2 * n) & 0x3fff;
    yield [word, Array.from({ length: read }, (_, n) => positionOf(n))];
  }
}

/** A word of a transcript: its position in a block, from 1. */
export interface SpokenWord {
  readonly episodeId: string;
  readonly block: number;
  readonly word: number;
}

/** A longer segment is shown without its end. */
const segmentChars = 2_000;

export interface SpokenSegment {
  readonly episodeId: string;
  /** Of the segment with the word, which word of it that is, from 0; null: it is another segment. */
  readonly word: number | null;
  readonly startMs: number;
  readonly speaker: string;
  readonly text: string;
}

/**
 * Of each episode, the segments around one word, in order. By search_texts_pkey, episodes_pkey and
 * transcript_segments_pkey. Where segments begin isn't sent: it is as much as all the rest of a search.
 */
export async function selectSpokenSegments(
  db: Db,
  words: readonly SpokenWord[],
  { before, after }: { readonly before: number; readonly after: number },
): Promise<SpokenSegment[]> {
  const { rows } = await sql<SpokenSegment>`
    with target as materialized (
      select t.episode_id, t.first_segment + b.n - 1 as position, w.word - t.segment_starts[b.n] as word
      from jsonb_to_recordset(${JSON.stringify(words)}::jsonb)
        as w ("episodeId" uuid, block integer, word integer)
      cross join lateral (select * from search_texts where episode_id = w."episodeId"
        and part = ${sql.lit(parts.transcript)} and block = w.block offset 0) t
      cross join lateral (select width_bucket(w.word, t.segment_starts) as n offset 0) b
      where b.n > 0
        and (select publish_transcript from episodes where id = t.episode_id))
    select s.episode_id as "episodeId", s.start_ms as "startMs", s.speaker,
      case when s.position = target.position then target.word end as word,
      left(s.body, ${sql.lit(segmentChars)}) as text
    from target cross join lateral (
      select * from transcript_segments where episode_id = target.episode_id and position
        between target.position - ${before}::integer and target.position + ${after}::integer
      order by position offset 0) s`.execute(db);
  return rows;
}

/** How much of each text is read for a result. */
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
