import { type Context, transact } from '../../foundation/context.ts';
import { requireTrusted } from '../../foundation/principal.ts';
import {
  deleteQueued,
  lockQueued,
  replaceBlocks,
  selectSearchedTexts,
  selectSegmentTexts,
} from './index-episodes.sql.ts';
import { writeBlocks } from './search-blocks.ts';
import { dictionaryOf, prefixOf } from './words.ts';

/**
 * Writes the words of all queued episodes, the newest first. Any number of processes may do so. Returns how
 * many it has written.
 */
export async function indexEpisodes(ctx: Context, signal?: AbortSignal): Promise<number> {
  requireTrusted(ctx);
  for (let count = 0; ; count += 1) {
    if (signal?.aborted || !(await transact(ctx, indexNext))) return count;
  }
}

/**
 * In one transaction: whoever changes the episode waits for its end, and then queues it again. What has
 * changed before, the next statement reads.
 */
async function indexNext({ db }: Context): Promise<boolean> {
  const episodeId = await lockQueued(db);
  if (episodeId === undefined) return false;
  const texts = await selectSearchedTexts(db, episodeId);
  const blocks =
    texts === undefined ? [] : await writeBlocks(texts, selectSegmentTexts(db, episodeId));
  await replaceBlocks(db, episodeId, blocks, {
    podcastId: texts?.podcastId ?? episodeId,
    prefix: prefixOf(texts?.podcastId ?? episodeId),
    dictionary: dictionaryOf(texts?.language ?? ''),
  });
  await deleteQueued(db, episodeId);
  return true;
}
