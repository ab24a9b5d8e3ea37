import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { asOf, type Episode } from './episode.ts';
import { selectEpisode, selectEpisodeBySourceKey } from './episodes.sql.ts';

export async function getEpisode(ctx: Context, episodeId: string): Promise<Episode> {
  const stored = await selectEpisode(ctx.db, episodeId);
  if (stored === undefined) throw notFound('episode');
  return asOf(stored, ctx.clock.now());
}

/** The episode that an import made of the feed item with this key. */
export async function findEpisodeBySourceKey(
  ctx: Context,
  podcastId: string,
  sourceKey: string,
): Promise<Episode | undefined> {
  const stored = await selectEpisodeBySourceKey(ctx.db, podcastId, sourceKey);
  return stored && asOf(stored, ctx.clock.now());
}
