import { sql } from 'kysely';
import { notedTurn, withNextWork } from '../../../foundation/accounts/index.ts';
import type { Db } from '../../../foundation/database.ts';
import type { Waveform } from './waveform.ts';

/** Further tries would fail in the same way. As in the index waveforms_waiting. */
const maxAttempts = 3;

/** Our copy of audio whose waveform is to be drawn. */
export interface DrawableAudio {
  readonly blobKey: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
  readonly leadingTagBytes: number;
}

/**
 * Queues the waveform of this content for the episode's account, unless it exists, is being drawn, or
 * cannot be drawn.
 */
export async function upsertTask(
  db: Db,
  { sha256, episodeId }: { readonly sha256: string; readonly episodeId: string },
  now: Date,
): Promise<void> {
  await db
    .insertInto('waveforms')
    .columns(['sha256', 'account_id', 'due_at', 'asked_at'])
    .expression(({ selectFrom, val }) =>
      selectFrom('episodes as e')
        .innerJoin('podcasts as p', 'p.id', 'e.podcast_id')
        .select([
          val(sha256).as('sha256'),
          'p.account_id',
          sql<Date>`${now}::timestamptz`.as('due_at'),
          sql<Date>`${now}::timestamptz`.as('asked_at'),
        ])
        .where('e.id', '=', episodeId),
    )
    .onConflict((conflict) =>
      // Failures get another chance: the store may have been away.
      conflict.column('sha256').doUpdateSet((is) => ({
        asked_at: now,
        attempts: 0,
        account_id: is.ref('excluded.account_id'),
      })),
    )
    .execute();
}

/** Makes tasks due that would be due after `latest`. By waveforms_waiting. */
export async function hastenTasks(db: Db, now: Date, latest: Date): Promise<void> {
  await db
    .updateTable('waveforms')
    .set({ due_at: now })
    .where('due_at', '>', latest)
    .where('attempts', '<', sql.lit(maxAttempts))
    .execute();
}

/**
 * Claims the task that has been due longest, of the account whose last turn is the longest ago. Counts
 * the attempt, and keeps other workers away until `until`. By waveforms_waiting.
 */
export async function claimTask(db: Db, now: Date, until: Date): Promise<string | undefined> {
  const isDue = sql`due_at <= ${now} and attempts < ${sql.lit(maxAttempts)}`;
  const queue = { name: 'waveforms', table: sql`waveforms`, isDue } as const;
  const { rows } = await sql<{ sha256: string }>`
    ${withNextWork(queue, sql`sha256`)}, claimed as (
      update waveforms set attempts = attempts + 1, due_at = ${until}
      where sha256 = (select key from next)
      returning sha256, account_id
    ), ${notedTurn('waveforms')}
    select sha256 from claimed`.execute(db);
  return rows[0]?.sha256;
}

/** Releases the claim, as if the task had not been tried. It is due again at `dueAt`. */
export async function releaseTask(db: Db, sha256: string, dueAt: Date): Promise<void> {
  await db
    .updateTable('waveforms')
    .set({ attempts: sql`greatest(attempts - 1, 0)`, due_at: dueAt })
    .where('sha256', '=', sha256)
    .where('due_at', 'is not', null)
    .execute();
}

/**
 * Deletes the task of audio that no episode has any more, unless it was queued again since.
 */
export async function deleteClaimedTask(db: Db, sha256: string): Promise<void> {
  await db
    .deleteFrom('waveforms')
    .where('sha256', '=', sha256)
    .where('due_at', 'is not', null)
    .where('attempts', '>', 0)
    .execute();
}

/** Stores the waveform; undefined: the audio cannot be drawn. */
export async function settleTask(
  db: Db,
  sha256: string,
  waveform: Waveform | undefined,
): Promise<void> {
  const { peaks = null, durationMs = null } = waveform ?? {};
  await db
    .updateTable('waveforms')
    .set({
      peaks: peaks && Buffer.from(peaks),
      duration_ms: durationMs,
      due_at: null,
      account_id: null,
    })
    .where('sha256', '=', sha256)
    .execute();
}

/** The copy of any episode, as all are equal. By audio_files_by_content. */
export async function selectDrawableAudio(
  db: Db,
  sha256: string,
): Promise<DrawableAudio | undefined> {
  const row = await db
    .selectFrom('audio_files')
    .select([
      'blob_key as blobKey',
      'size_bytes as sizeBytes',
      'duration_ms as durationMs',
      'leading_tag_bytes as leadingTagBytes',
    ])
    .where('sha256', '=', sha256)
    .where('blob_key', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { blobKey, sizeBytes, durationMs, leadingTagBytes } = row;
  if (blobKey === null || sizeBytes === null || durationMs === null) return undefined;
  return { blobKey, sizeBytes, durationMs, leadingTagBytes };
}

/** By audio_files_by_content. */
export function selectEpisodesWithAudio(
  db: Db,
  sha256: string,
): Promise<{ podcastId: string; episodeId: string }[]> {
  return db
    .selectFrom('audio_files as a')
    .innerJoin('episodes as e', 'e.id', 'a.episode_id')
    .select(['e.podcast_id as podcastId', 'e.id as episodeId'])
    .where('a.sha256', '=', sha256)
    .execute();
}

/** By audio_files_pkey and waveforms_pkey. */
export async function selectWaveform(db: Db, episodeId: string): Promise<Waveform | undefined> {
  const row = await db
    .selectFrom('audio_files as a')
    .innerJoin('waveforms as w', 'w.sha256', 'a.sha256')
    .select(['w.peaks', 'w.duration_ms as durationMs'])
    .where('a.episode_id', '=', episodeId)
    .executeTakeFirst();
  if (row?.peaks == null || row.durationMs === null) return undefined;
  return { peaks: row.peaks, durationMs: row.durationMs };
}

/**
 * Deletes the waveforms of audio that no episode has, unless it was queued again since. An
 * uncommitted task is seen, too: the statement waits for it and checks `asked_at` again.
 */
export async function deleteUnusedWaveforms(db: Db, askedBefore: Date): Promise<void> {
  await db
    .deleteFrom('waveforms as w')
    .where('w.asked_at', '<', askedBefore)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('audio_files as a')
            .select('a.episode_id')
            .whereRef('a.sha256', '=', 'w.sha256'),
        ),
      ),
    )
    .execute();
}
