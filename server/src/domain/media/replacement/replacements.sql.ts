import { sql } from 'kysely';
import { type Db, toRow } from '../../database.ts';
import { lastTurn, notedTurn } from '../account-turns.sql.ts';
import type { MatchedPart } from '../alignment/align-audio.ts';
import type { Replacement, ReplacementState } from './replacement.ts';

const columns = [
  'id',
  'episode_id as episodeId',
  'state',
  'replaces_sha256 as replacesSha256',
  'blob_key as blobKey',
  'content_type as contentType',
  'extension',
  'size_bytes as sizeBytes',
  'duration_ms as durationMs',
  'sha256',
  'bitrate_bps as bitrateBps',
  'leading_tag_bytes as leadingTagBytes',
  'parts',
  'peaks',
  'expires_at as expiresAt',
] as const;

/** Locks the episode until the transaction ends; false if it does not exist. */
export async function lockEpisode(db: Db, episodeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('episodes')
    .select('id')
    .where('id', '=', episodeId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** The caller has deleted an earlier one of the episode. */
export async function insertReplacement(db: Db, one: Replacement, now: Date): Promise<void> {
  const dueAt = one.state === 'waiting' ? now : null;
  const row = toRow({ ...one, parts: null, peaks: null, attempts: 0, dueAt, createdAt: now });
  await db.insertInto('audio_replacements').values(row).execute();
}

/** Undefined if it has expired. By audio_replacements_pkey. */
export function selectReplacement(
  db: Db,
  episodeId: string,
  now: Date,
): Promise<Replacement | undefined> {
  return db
    .selectFrom('audio_replacements')
    .select(columns)
    .where('episode_id', '=', episodeId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/**
 * Deletes the proposal of that id; without an id, any. Resolves to the key of its file, if it
 * existed.
 */
export async function deleteReplacement(
  db: Db,
  episodeId: string,
  id?: string,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('audio_replacements')
    .where('episode_id', '=', episodeId)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .returning('blob_key as blobKey')
    .executeTakeFirst();
  return row?.blobKey;
}

/**
 * Claims the proposal that has been due longest, of the account whose last turn is the longest ago.
 * Counts the attempt, and keeps other workers away until `until`. By audio_replacements_due.
 */
export async function claimReplacement(
  db: Db,
  now: Date,
  until: Date,
): Promise<{ episodeId: string; id: string; attempts: number } | undefined> {
  const { rows } = await sql<{ episodeId: string; id: string; attempts: number }>`
    with next as (
      select r.id, p.account_id from audio_replacements r
      join episodes e on e.id = r.episode_id
      join podcasts p on p.id = e.podcast_id
      ${lastTurn('replacements', sql`p.account_id`)}
      where r.due_at <= ${now}
      order by t.turn nulls first, r.due_at limit 1
      for update of r skip locked
    ), claimed as (
      update audio_replacements r set attempts = attempts + 1, due_at = ${until}
      from next where r.id = next.id
      returning r.id, r.episode_id, r.attempts, next.account_id
    ), ${notedTurn('replacements')}
    select id, episode_id as "episodeId", attempts from claimed`.execute(db);
  return rows[0];
}

/** Makes it due again at that time. */
export async function postponeReplacement(db: Db, id: string, dueAt: Date): Promise<void> {
  await db
    .updateTable('audio_replacements')
    .set({ due_at: dueAt })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .execute();
}

export async function settleReplacement(
  db: Db,
  id: string,
  found: {
    readonly state: Exclude<ReplacementState, 'waiting'>;
    readonly parts?: readonly MatchedPart[] | undefined;
    readonly peaks?: Uint8Array | undefined;
  },
): Promise<void> {
  const { state, parts, peaks } = found;
  await db
    .updateTable('audio_replacements')
    .set({
      state,
      parts: parts === undefined ? null : JSON.stringify(parts),
      peaks: peaks === undefined ? null : Buffer.from(peaks),
      due_at: null,
    })
    .where('id', '=', id)
    .execute();
}

/** By audio_replacements_expired. */
export async function deleteExpiredReplacements(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('audio_replacements').where('expires_at', '<=', now).execute();
}

/** The episode's revision. Read it before anything else of the episode. */
export async function selectRevision(db: Db, episodeId: string): Promise<number> {
  const { revision } = await db
    .selectFrom('episodes')
    .select('revision')
    .where('id', '=', episodeId)
    .executeTakeFirstOrThrow();
  return revision;
}
