import { type RawBuilder, sql } from 'kysely';
import { chunksOf } from '../../../lib/chunks-of.ts';
import type { Db } from '../../foundation/database.ts';
import type { Chapter } from './chapter.ts';
import {
  type Segment,
  segmentsAtOnce,
  type Transcript,
  type TranscriptFacts,
} from './transcript.ts';

/** A transcript as the database stores it. */
export type NewTranscript = Omit<Transcript, 'hasTimes'> & {
  readonly language: string;
  /** Default: true. */
  readonly hasTimes?: boolean;
};

/**
 * Replaces the whole first transcript, in the caller's transaction. Keeps transcripts in further
 * languages, except one in the new language of the first.
 */
export async function replaceTranscript(
  db: Db,
  episodeId: string,
  transcript: NewTranscript,
  updatedAt: Date,
): Promise<void> {
  const columns = columnsOf(transcript, updatedAt);
  await db
    .insertInto('transcripts')
    .values({ episode_id: episodeId, ...columns })
    .onConflict((conflict) => conflict.column('episode_id').doUpdateSet(columns))
    .execute();
  await db.deleteFrom('transcript_segments').where('episode_id', '=', episodeId).execute();
  await sql`
    delete from further_transcripts
    where episode_id = ${episodeId} and lower(language) = lower(${transcript.language})`.execute(
    db,
  );
  const place = { table: sql`transcript_segments (episode_id`, keys: sql`${episodeId}::uuid` };
  await insertSegments(db, place, transcript.segments);
}

/** Replaces the whole transcript in that language, in the caller's transaction. */
export async function replaceFurtherTranscript(
  db: Db,
  episodeId: string,
  transcript: NewTranscript,
  updatedAt: Date,
): Promise<void> {
  const { language } = transcript;
  await db
    .deleteFrom('further_transcripts')
    .where('episode_id', '=', episodeId)
    .where('language', '=', language)
    .execute();
  await db
    .insertInto('further_transcripts')
    .values({ episode_id: episodeId, ...columnsOf(transcript, updatedAt) })
    .execute();
  const place = {
    table: sql`further_transcript_segments (episode_id, language`,
    keys: sql`${episodeId}::uuid, ${language}::text`,
  };
  await insertSegments(db, place, transcript.segments);
}

function columnsOf(transcript: NewTranscript, updatedAt: Date) {
  return {
    language: transcript.language,
    word_count: transcript.wordCount,
    duration_ms: transcript.durationMs,
    segment_count: transcript.segments.length,
    has_times: transcript.hasTimes ?? true,
    text_bytes: countSegmentBytes(transcript.segments),
    updated_at: updatedAt,
  };
}

/** What segments count as texts of an account, each with something for its row. */
export function countSegmentBytes(segments: readonly Pick<Segment, 'speaker' | 'text'>[]): number {
  return segments.reduce(
    (sum, { speaker, text }) => sum + 100 + Buffer.byteLength(speaker) + Buffer.byteLength(text),
    0,
  );
}

const charsOf = ({ speaker, text }: Segment) => speaker.length + text.length;

async function insertSegments(
  db: Db,
  { table, keys }: { readonly table: RawBuilder<unknown>; readonly keys: RawBuilder<unknown> },
  segments: readonly Segment[],
): Promise<void> {
  // A short segment weighs as much as this, so no statement has more segments than it may.
  const least = segmentsAtOnce.chars / segmentsAtOnce.count;
  const weightOf = (segment: Segment) => Math.max(least, charsOf(segment));
  let start = 0;
  for (const some of chunksOf(segments, segmentsAtOnce.chars, weightOf)) {
    await sql`
      insert into ${table}, position, start_ms, end_ms, speaker, body)
      select ${keys}, s.position - 1 + ${start}, (s.segment ->> 'startMs')::integer,
        (s.segment ->> 'endMs')::integer, s.segment ->> 'speaker', s.segment ->> 'text'
      from jsonb_array_elements(${JSON.stringify(some)}::jsonb)
        with ordinality as s(segment, position)`.execute(db);
    start += some.length;
  }
}

/** Locks the episode's transcripts against other changes; undefined if it has none. */
export async function lockLanguages(
  db: Db,
  episodeId: string,
): Promise<{ first: string; further: string[] } | undefined> {
  const { rows } = await sql<{ first: string }>`
    select language as first from transcripts where episode_id = ${episodeId} for update`.execute(
    db,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const further = await db
    .selectFrom('further_transcripts')
    .select('language')
    .where('episode_id', '=', episodeId)
    .execute();
  return { ...first, further: further.map(({ language }) => language) };
}

export interface StoredTranscript {
  readonly language: string;
  readonly hasTimes: boolean;
  readonly segments: Segment[];
  readonly publish: boolean;
}

/** How much to read of a transcript; by default all of it. */
export interface ReadLimit {
  /** Reading may stop once the text so far is longer. */
  readonly maxChars?: number | undefined;
}

interface StoredPart extends StoredTranscript {
  /**
   * If the version differs or is missing in a later part, the transcript was replaced meanwhile.
   */
  readonly version: string;
}

/** By transcripts_pkey and transcript_segments_pkey. */
export async function selectTranscript(
  db: Db,
  episodeId: string,
  limit: ReadLimit = {},
): Promise<StoredTranscript | undefined> {
  return await selectInParts(db, limit, {
    transcript: sql`transcripts t where t.episode_id = ${episodeId}`,
    segments: sql`transcript_segments s where true`,
  });
}

export interface TranscriptSize {
  /** The bytes of its text, with something for each segment. */
  readonly bytes: number;
  readonly hasTimes: boolean;
  readonly publish: boolean;
}

/** By the primary keys. */
export async function selectTranscriptSize(
  db: Db,
  episodeId: string,
  language: string | undefined,
): Promise<TranscriptSize | undefined> {
  const source =
    language === undefined
      ? sql`transcripts t where t.episode_id = ${episodeId}`
      : sql`further_transcripts t where t.episode_id = ${episodeId} and t.language = ${language}`;
  const { rows } = await sql<TranscriptSize>`
    select t.text_bytes as bytes, t.has_times as "hasTimes",
      (select publish_transcript from episodes e where e.id = t.episode_id) as publish
    from ${source}`.execute(db);
  return rows[0];
}

/** By further_transcripts_pkey and further_transcript_segments_pkey. */
export async function selectFurtherTranscript(
  db: Db,
  episodeId: string,
  language: string,
  limit: ReadLimit = {},
): Promise<StoredTranscript | undefined> {
  return await selectInParts(db, limit, {
    transcript: sql`further_transcripts t where t.episode_id = ${episodeId} and t.language = ${language}`,
    segments: sql`further_transcript_segments s where s.language = t.language`,
  });
}

/** The tables of a transcript, each with its condition. */
interface Source {
  readonly transcript: RawBuilder<unknown>;
  readonly segments: RawBuilder<unknown>;
}

const segment = sql`json_build_object('startMs', s.start_ms, 'endMs', s.end_ms,
  'speaker', s.speaker, 'text', s.body)`;

/**
 * Reads a transcript in one statement. A very long one takes several, and is read again if it
 * changes in the meantime.
 */
async function selectInParts(
  db: Db,
  { maxChars = Number.POSITIVE_INFINITY }: ReadLimit,
  source: Source,
): Promise<StoredTranscript | undefined> {
  let segments: Segment[] = [];
  let version: string | undefined;
  let textChars = 0;
  for (;;) {
    const part = await selectPart(db, segments.length, source);
    if (part === undefined) return undefined;
    version ??= part.version;
    if (part.version !== version) {
      [segments, version, textChars] = [[], undefined, 0];
      continue;
    }
    let chars = 0;
    for (const one of part.segments) {
      segments.push(one);
      chars += charsOf(one);
      textChars += one.text.length;
    }
    const isFull = part.segments.length === segmentsAtOnce.count || chars >= segmentsAtOnce.chars;
    if (!isFull || textChars > maxChars) return { ...part, segments };
  }
}

/** The next segments, up to the one that brings their characters to the limit. */
async function selectPart(db: Db, start: number, source: Source): Promise<StoredPart | undefined> {
  const chars = sql`length(s.speaker) + length(s.body)`;
  const { rows } = await sql<StoredPart>`
    select t.language, t.has_times as "hasTimes", t.xmin::text as version,
      (select publish_transcript from episodes e where e.id = t.episode_id) as publish,
      coalesce((select json_agg(${segment} order by s.position) from (
          select s.*, sum(${chars}) over (order by s.position) - (${chars}) as before
          from ${source.segments} and s.episode_id = t.episode_id and s.position >= ${start}
            and s.position < ${start + segmentsAtOnce.count}) s
        where s.before < ${segmentsAtOnce.chars}), '[]') as segments
    from ${source.transcript}`.execute(db);
  return rows[0];
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

/** Whether there were none before. By chapters_pkey. */
export async function insertChapters(
  db: Db,
  episodeId: string,
  chapters: readonly Chapter[],
  updatedAt: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('chapters')
    .values({ episode_id: episodeId, chapters: JSON.stringify(chapters), updated_at: updatedAt })
    .onConflict((conflict) => conflict.column('episode_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** By chapters_pkey. */
export async function selectChapters(db: Db, episodeId: string): Promise<Chapter[] | undefined> {
  const row = await db
    .selectFrom('chapters')
    .select((column) => column.ref('chapters').$castTo<Chapter[]>().as('chapters'))
    .where('episode_id', '=', episodeId)
    .executeTakeFirst();
  return row?.chapters;
}

/** Deletes transcripts in other languages than these. */
export async function deleteFurtherTranscripts(
  db: Db,
  episodeId: string,
  except: readonly string[],
): Promise<void> {
  await sql`
    delete from further_transcripts
    where episode_id = ${episodeId} and language <> all(${except}::text[])`.execute(db);
}

/** Deletes the first transcript and those in further languages. */
export async function deleteTranscript(db: Db, episodeId: string): Promise<void> {
  await db.deleteFrom('transcripts').where('episode_id', '=', episodeId).execute();
}

export async function deleteChapters(db: Db, episodeId: string): Promise<void> {
  await db.deleteFrom('chapters').where('episode_id', '=', episodeId).execute();
}

/** Finds the language of the published first transcript. By the primary keys. */
export async function selectPublishedLanguage(
  db: Db,
  episodeId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('transcripts as t')
    .innerJoin('episodes as e', 'e.id', 't.episode_id')
    .select('t.language')
    .where('t.episode_id', '=', episodeId)
    .where('e.publish_transcript', '=', true)
    .executeTakeFirst();
  return row?.language;
}

const factColumns = [
  'language',
  'has_times as hasTimes',
  'segment_count as segmentCount',
  'word_count as wordCount',
] as const;

/**
 * Lists transcripts in the order of their languages, without their texts. By
 * further_transcripts_pkey.
 */
export function selectFurtherTranscriptFacts(
  db: Db,
  episodeId: string,
): Promise<TranscriptFacts[]> {
  return db
    .selectFrom('further_transcripts')
    .select(factColumns)
    .where('episode_id', '=', episodeId)
    .orderBy('language')
    .execute();
}

/** Reads the transcript without its text. By transcripts_pkey. */
export function selectTranscriptFacts(
  db: Db,
  episodeId: string,
): Promise<TranscriptFacts | undefined> {
  return db
    .selectFrom('transcripts')
    .select(factColumns)
    .where('episode_id', '=', episodeId)
    .executeTakeFirst();
}

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
