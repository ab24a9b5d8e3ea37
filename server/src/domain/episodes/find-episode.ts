import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { asOf, type Episode } from './episode.ts';
import { selectEpisode } from './episodes.sql.ts';

export async function getEpisode(ctx: Context, episodeId: string): Promise<Episode> {
  const stored = await selectEpisode(ctx.db, episodeId);
  if (stored === undefined) throw notFound('episode');
  return asOf(stored, ctx.clock.now());
}
