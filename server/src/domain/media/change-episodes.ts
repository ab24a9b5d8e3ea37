import type { Context } from '../context.ts';
import {
  archiveEpisode,
  deleteEpisode,
  type Episode,
  publishEpisode,
  selectIdsOfPodcast,
  unpublishEpisode,
} from '../episodes/index.ts';
import { DomainError, notFound } from '../errors.ts';
import { authorize } from '../permissions/index.ts';

const verbs = {
  publish: (ctx: Context, id: string) => publishEpisode(ctx, id),
  unpublish: (ctx: Context, id: string) => unpublishEpisode(ctx, id),
  archive: (ctx: Context, id: string) => archiveEpisode(ctx, id),
  delete: (ctx: Context, id: string) => deleteEpisode(ctx, id).then(() => undefined),
};

export type EpisodesChange = keyof typeof verbs;
export const episodesChanges = Object.keys(verbs) as EpisodesChange[];

/** The result for one of the episodes. */
export type EpisodeOutcome =
  /** Undefined: it was deleted. */
  | { readonly id: string; readonly episode: Episode | undefined }
  | { readonly id: string; readonly refused: DomainError };

/**
 * Applies an action to several episodes of a podcast, each on its own: a refusal does not stop the
 * others.
 */
export async function changeEpisodes(
  ctx: Context,
  podcastId: string,
  { action, ids }: { readonly action: EpisodesChange; readonly ids: readonly string[] },
): Promise<EpisodeOutcome[]> {
  await authorize(ctx, 'episodes.read', { podcastId });
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const known = new Set(await selectIdsOfPodcast(ctx.db, podcastId, wanted));
  const outcomes: EpisodeOutcome[] = [];
  for (const id of wanted) {
    try {
      if (!known.has(id)) throw notFound('episode');
      outcomes.push({ id, episode: await verbs[action](ctx, id) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      outcomes.push({ id, refused: error });
    }
  }
  return outcomes;
}
