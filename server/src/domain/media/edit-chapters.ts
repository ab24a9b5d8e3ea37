import { type Context, transact } from '../context.ts';
import { type ErrorDetail, refuseWrong } from '../errors.ts';
import { authorize } from '../permissions/index.ts';
import type { Expectation } from '../revisions/index.ts';
import {
  completeChapters,
  type RawChapter,
  removeChapters,
  setChapters,
} from '../transcripts/index.ts';
import { type AudioRow, selectAudio } from './media.sql.ts';

/**
 * Sets the chapters that a member wrote, none removes them. Throws `invalid` with each chapter that
 * begins after the end of the audio, as far as a file of ours tells its length: what files and feeds
 * of others state is kept as it is.
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
    // It locks the episode: no other audio takes the place of this one before the commit.
    await setChapters(tx, episodeId, completeChapters(chapters), expectation);
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
