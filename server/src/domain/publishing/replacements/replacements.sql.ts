import { sql } from 'kysely';
import { notedTurn, withNextWork } from '../../foundation/accounts/index.ts';
import { type Db, toRow } from '../../foundation/database.ts';
import type { ReplacementState } from '../../foundation/enumerations.ts';
import type { MatchedPart } from './alignment/align-audio.ts';
import type { Replacement } from './replacement.ts';

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
  sql.ref<readonly MatchedPart[] | null>('parts').as('parts'),
  'peaks',
  'expires_at as expiresAt',
] as const;

/** Locks the episode until the transaction ends; false if it does not exist. */
export async function lockEpisodeRow(db: Db, episodeId: string): Promise<boolean> {
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
  const accountId = db
    .selectFrom('episodes as e')
    .innerJoin('podcasts as p', 'p.id', 'e.podcast_id')
    .select('p.account_id')
    .where('e.id', '=', one.episodeId);
  await db
    .insertInto('audio_replacements')
    .values({ ...row, account_id: accountId })
    .execute();
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

/** Makes proposals due that would be due after `latest`. By audio_replacements_waiting. */
export async function hastenReplacements(db: Db, now: Date, latest: Date): Promise<void> {
  await db
    .updateTable('audio_replacements')
    .set({ due_at: now })
    .where('due_at', '>', latest)
    .execute();
}

/**
 * Claims the proposal that has been due longest, of the account whose last turn is the longest ago.
 * Counts the attempt, and keeps other workers away until `until`. By audio_replacements_waiting.
 */
export async function claimReplacement(
  db: Db,
  now: Date,
  until: Date,
): Promise<{ episodeId: string; id: string; attempts: number } | undefined> {
  const isDue = sql`due_at <= ${now}`;
  const queue = { name: 'replacements', table: sql`audio_replacements`, isDue } as const;
  const { rows } = await sql<{ episodeId: string; id: string; attempts: number }>`
    ${withNextWork(queue, sql`id`)}, claimed as (
      update audio_replacements set attempts = attempts + 1, due_at = ${until}
      where id = (select key from next)
      returning id, episode_id, attempts, account_id
    ), ${notedTurn('replacements')}
    select id, episode_id as "episodeId", attempts from claimed`.execute(db);
  return rows[0];
}

/** Makes it due again at that time; `isUntried`: as if it had not been tried. */
export async function postponeReplacement(
  db: Db,
  id: string,
  { dueAt, isUntried }: { readonly dueAt: Date; readonly isUntried: boolean },
): Promise<void> {
  await db
    .updateTable('audio_replacements')
    .set({
      due_at: dueAt,
      ...(isUntried && { attempts: sql<number>`greatest(attempts - 1, 0)` }),
    })
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
export async function selectEpisodeRevision(db: Db, episodeId: string): Promise<number> {
  const { revision } = await db
    .selectFrom('episodes')
    .select('revision')
    .where('id', '=', episodeId)
    .executeTakeFirstOrThrow();
  return revision;
}
