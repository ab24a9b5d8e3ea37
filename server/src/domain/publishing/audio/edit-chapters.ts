import { type Context, transact } from '../../foundation/context.ts';
import { type ErrorDetail, refuseWrong } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import type { Expectation } from '../../foundation/revisions/index.ts';
import {
  completeChapters,
  type RawChapter,
  removeChapters,
  setChapters,
} from '../transcripts/index.ts';
import { type AudioRow, selectAudio } from './audio.sql.ts';

/**
 * Sets the chapters that a member wrote; an empty list removes them. Throws `invalid` with each
 * chapter that begins after the end of the audio, if we have a copy whose length is known.
 */
export async function editChapters(
  ctx: Context,
  episodeId: string,
  chapters: readonly RawChapter[],
  expectation?: Expectation,
): Promise<void> {
  await transact(ctx, async (tx) => {
    await authorize(tx, 'episode.edit', { episodeId });
    if (chapters.length === 0) return await removeChapters(tx, episodeId, expectation);
    // Locks the episode, so that its audio cannot be replaced before the commit.
    await setChapters(tx, episodeId, completeChapters(chapters).chapters, expectation);
    refuseWrong(
      'The chapters were not saved.',
      findBeyondEnd(chapters, await selectAudio(tx.db, episodeId)),
    );
  });
}

function findBeyondEnd(
  chapters: readonly RawChapter[],
  audio: AudioRow | undefined,
): ErrorDetail[] {
  const end = audio?.blobKey == null ? null : audio.durationMs;
  if (end === null) return [];
  return chapters.flatMap(({ startMs = 0 }, index) =>
    startMs < end
      ? []
      : [
          {
            field: `chapters[${index}].start_seconds`,
            message: 'This chapter begins after the end of the audio.',
          },
        ],
  );
}
