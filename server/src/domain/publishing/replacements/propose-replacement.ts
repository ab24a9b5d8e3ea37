import { newId } from '../../../lib/uuid.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, notFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { findAudio, isDrawable, type StoredAudio } from '../audio/index.ts';
import { alignReplacementsJob } from './align-replacements.job.ts';
import { maxComparedMs } from './compare-recordings.ts';
import { replacementLifeMs } from './replacement.ts';
import { deleteReplacement, insertReplacement, lockEpisodeRow } from './replacements.sql.ts';

/**
 * Stores audio beside the episode's, to be compared with it; it replaces an earlier proposal.
 * Throws if we have no copy of the episode's audio. Resolves to the proposal's id.
 */
export async function proposeReplacement(
  ctx: Context,
  episodeId: string,
  { blobKey, facts }: StoredAudio,
): Promise<string> {
  return await transact(ctx, async (tx) => {
    await authorize(tx, 'episode.edit', { episodeId });
    // Locked, so that no other proposal is made or accepted in the meantime.
    if (!(await lockEpisodeRow(tx.db, episodeId))) throw notFound('episode');
    const present = await findAudio(tx, episodeId);
    if (present?.blobKey == null || present.sha256 === null) {
      throw invalid('upload_id', 'There is no audio here to replace. Set it instead.', 'no_audio');
    }
    await deleteReplacement(tx.db, episodeId);
    const totalMs = (present.durationMs ?? 0) + facts.durationMs;
    const isComparable =
      isDrawable(present.contentType) && isDrawable(facts.contentType) && totalMs <= maxComparedMs;
    const now = ctx.clock.now();
    const id = newId();
    const expiresAt = new Date(now.getTime() + replacementLifeMs);
    const state = isComparable ? 'waiting' : 'incomparable';
    await insertReplacement(
      tx.db,
      {
        ...facts,
        ...{ id, episodeId, blobKey, state, expiresAt },
        replacesSha256: present.sha256,
        parts: null,
        peaks: null,
      },
      now,
    );
    await tx.announcements.announceWork(tx.db, alignReplacementsJob.name);
    return id;
  });
}
