import { sql } from 'kysely';
import type { Db } from '../../database.ts';
import type { Waveform } from './waveform.ts';

/** Further tries would fail in the same way. As in the index waveforms_due. */
const maxAttempts = 3;

/** Our copy of audio whose waveform is to be drawn. */
export interface DrawableAudio {
  readonly blobKey: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
  readonly leadingTagBytes: number;
}

/** Queues the waveform of this content, unless it exists, is being drawn, or cannot be drawn. */
export async function upsertTask(db: Db, sha256: string, now: Date): Promise<void> {
  await db
    .insertInto('waveforms')
    .values({ sha256, due_at: now, asked_at: now })
    .onConflict((conflict) =>
      // Failures get another chance: the store may have been away.
      conflict.column('sha256').doUpdateSet({ asked_at: now, attempts: 0 }),
    )
    .execute();
}

/**
 * Claims the task that has been due longest, counts the attempt, and keeps other workers away
 * until `until`. By waveforms_due.
 */
export async function claimTask(db: Db, now: Date, until: Date): Promise<string | undefined> {
  const row = await db
    .updateTable('waveforms')
    .set((is) => ({ attempts: is('attempts', '+', 1), due_at: until }))
    .where('sha256', '=', (is) =>
      is
        .selectFrom('waveforms')
        .select('sha256')
        .where('due_at', '<=', now)
        .where('attempts', '<', maxAttempts)
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('sha256')
    .executeTakeFirst();
  return row?.sha256;
}

/** Releases the claim, as if the task had not been tried. */
export async function releaseTask(db: Db, sha256: string, now: Date): Promise<void> {
  await db
    .updateTable('waveforms')
    .set({ attempts: sql`greatest(attempts - 1, 0)`, due_at: now })
    .where('sha256', '=', sha256)
    .where('due_at', 'is not', null)
    .execute();
}

/**
 * Deletes the task of audio that no episode has any more, unless it was queued again meanwhile.
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
    .set({ peaks: peaks && Buffer.from(peaks), duration_ms: durationMs, due_at: null })
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
 * Deletes the waveforms of audio that no episode has, unless it was queued again meanwhile. An
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
