import type { Context } from '../../../foundation/context.ts';
import { type Chapter, findChapters, setFirstChapters } from '../../transcripts/index.ts';
import { readFileChapters } from './read-file-chapters.ts';

/**
 * Gives an episode that has no chapters those in the tags of its audio. Chapters that somebody made
 * stay. Returns the new ones. A failure is only logged, because the audio is stored already.
 */
export async function takeFileChapters(
  ctx: Context,
  episodeId: string,
): Promise<readonly Chapter[]> {
  try {
    if ((await findChapters(ctx, episodeId)) !== undefined) return [];
    const found = await readFileChapters({ ...ctx, abandoned: undefined }, episodeId);
    const chapters = found.map(({ hasImage: _inFile, ...chapter }) => chapter);
    if (chapters.length === 0) return [];
    return (await setFirstChapters(ctx, episodeId, chapters)) ? chapters : [];
  } catch (err) {
    ctx.log.warn({ err, episodeId }, 'the chapters in the tags of audio were not taken');
    return [];
  }
}
