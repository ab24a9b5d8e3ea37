import type { Context } from '../context.ts';
import { authorize } from '../permissions/index.ts';
import { getRevision } from '../revisions/index.ts';
import type { Chapter } from './chapter.ts';
import { selectChapters } from './transcripts.sql.ts';

/** Reads the chapters of an episode for a member, with the episode's revision. */
export async function readChapters(
  ctx: Context,
  episodeId: string,
): Promise<{ readonly chapters: readonly Chapter[]; readonly revision: number }> {
  await authorize(ctx, 'episodes.read', { episodeId });
  const revision = await getRevision(ctx, { episodeId });
  return { chapters: (await selectChapters(ctx.db, episodeId)) ?? [], revision };
}
