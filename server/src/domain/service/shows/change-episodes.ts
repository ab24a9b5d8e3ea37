import type { Context } from '../../foundation/context.ts';
import { DomainError, notFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import {
  archiveEpisode,
  type Confirmation,
  deleteEpisode,
  type EarlierStatus,
  type Episode,
  publishEpisode,
  restoreStatus,
  selectIdsOfPodcast,
  unpublishEpisode,
} from '../../publishing/episodes/index.ts';

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
 * others. Nobody confirms so many at once, so those without audio are not published.
 */
export async function changeEpisodes(
  ctx: Context,
  podcastId: string,
  { action, ids }: { readonly action: EpisodesChange; readonly ids: readonly string[] },
): Promise<EpisodeOutcome[]> {
  await authorize(ctx, 'episodes.read', { podcastId });
  return forEach(ctx, podcastId, ids, (id) => verbs[action](ctx, id));
}

/** The status to which an episode returns, and the revision that its last change has given it. */
export interface StatusToRestore extends EarlierStatus {
  readonly id: string;
  readonly revision: number;
}

/** Takes `changeEpisodes` back, for the episodes that nobody has changed since. */
export async function restoreEpisodes(
  ctx: Context,
  podcastId: string,
  episodes: readonly StatusToRestore[],
  confirmed: readonly Confirmation[],
): Promise<EpisodeOutcome[]> {
  await authorize(ctx, 'episodes.read', { podcastId });
  const byId = new Map(episodes.map((episode) => [episode.id.toLowerCase(), episode]));
  return forEach(ctx, podcastId, [...byId.keys()], async (id) => {
    const { revision: expected, ...before } = byId.get(id) as StatusToRestore;
    return restoreStatus(ctx, id, before, { expected, confirmed });
  });
}

async function forEach(
  ctx: Context,
  podcastId: string,
  ids: readonly string[],
  change: (id: string) => Promise<Episode | undefined>,
): Promise<EpisodeOutcome[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const known = new Set(await selectIdsOfPodcast(ctx.db, podcastId, wanted));
  const outcomes: EpisodeOutcome[] = [];
  for (const id of wanted) {
    try {
      if (!known.has(id)) throw notFound('episode');
      outcomes.push({ id, episode: await change(id) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      outcomes.push({ id, refused: error });
    }
  }
  return outcomes;
}
