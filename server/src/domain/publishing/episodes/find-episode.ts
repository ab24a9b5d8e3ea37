import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { asOf, type Episode } from './episode.ts';
import { selectEpisode } from './episodes.sql.ts';

export async function getEpisode(ctx: Context, episodeId: string): Promise<Episode> {
  const stored = requireFound(await selectEpisode(ctx.db, episodeId), 'episode');
  return asOf(stored, ctx.clock.now());
}
