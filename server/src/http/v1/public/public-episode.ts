import Type from 'typebox';
import { DomainError, requireFound } from '../../../domain/foundation/errors.ts';
import {
  type PublicEpisodeDetail as EpisodeDetail,
  findCurrentSlug,
  findPodcastOfEpisode,
  getLatestEpisode,
  getPublicEpisode,
  type PublicPodcast,
} from '../../../domain/public/catalogue/index.ts';
import { requireVisible, visibilityOf } from '../../../domain/publishing/podcasts/index.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { cachedJson } from '../../cache/cached.ts';
import type { HttpContext } from '../../http-context.ts';
import { episodeId, episodeRef, podcastSlug } from '../../requests/parameters.ts';
import { defineRoute, type RouteInput, type RouteResponse } from '../../route.ts';
import { presentEpisodeDetail } from '../present-public.ts';
import { PublicEpisodeDetail } from '../public-schemas.ts';
import { publicResponses } from '../responses.ts';

const responses = publicResponses('The episode.', Type.Object({ data: PublicEpisodeDetail }));

export const episodeRoute = defineRoute({
  method: 'GET',
  path: '/v1/podcasts/:slug/episodes/:ref',
  access: 'public',
  params: Type.Object({ slug: podcastSlug, ref: episodeRef }),
  operation: {
    id: 'getEpisode',
    tag: 'Episodes',
    summary: "One of a podcast's episodes",
    description:
      'By the slugs or the UUIDs of both. An old slug of the podcast works only with the UUID of an episode.',
    responses: {
      ...responses,
      301: {
        description: 'The podcast has another slug now. No body.',
        headers: ['Location', 'PublicCaching', 'Vary'],
      },
    },
    errors: [403, 404],
  },
  async handle(http, { params: { slug, ref }, reply }) {
    try {
      const show = await http.podcasts.find(slug);
      return await respondWithEpisode(http, reply, show, { what: 'podcast', ref }, () =>
        getPublicEpisode(http.ctx, show, ref),
      );
    } catch (error) {
      const moved = isNotFound(error) && isUuid(ref) && (await findMoved(http, slug, ref));
      if (!moved) throw error;
      return { kind: 'redirect', status: 301, location: moved };
    }
  },
});

export const latestEpisodeRoute = defineRoute({
  method: 'GET',
  path: '/v1/podcasts/:slug/episodes/latest',
  access: 'public',
  params: Type.Object({ slug: podcastSlug }),
  operation: {
    id: 'getLatestEpisode',
    tag: 'Episodes',
    summary: "A podcast's newest episode",
    description: 'The most recently published episode. 404 if the podcast has no public episode.',
    responses,
    errors: [403, 404],
  },
  async handle(http, { params, reply }) {
    const show = await http.podcasts.find(params.slug);
    return respondWithEpisode(http, reply, show, { what: 'podcast', ref: 'latest' }, () =>
      getLatestEpisode(http.ctx, show),
    );
  },
});

export const episodeByIdRoute = defineRoute({
  method: 'GET',
  path: '/v1/episodes/:id',
  access: 'public',
  params: Type.Object({ id: episodeId }),
  operation: {
    id: 'getEpisodeById',
    tag: 'Episodes',
    summary: 'An episode by its UUID',
    description: 'For clients that do not know its podcast.',
    responses,
    errors: [403, 404],
  },
  async handle(http, { params: { id }, reply }) {
    const podcastId = requireFound(await findPodcastOfEpisode(http.ctx, id), 'episode');
    const show = await http.podcasts.find(podcastId);
    return respondWithEpisode(http, reply, show, { what: 'episode', ref: id }, () =>
      getPublicEpisode(http.ctx, show, id),
    );
  },
});

/**
 * An episode of a withheld show is withheld only if it would be visible otherwise (rule 4).
 * `what` is how the client named it: a hidden show gets the same message as one that does not exist.
 */
async function respondWithEpisode(
  http: HttpContext,
  reply: RouteInput<never, never>['reply'],
  show: PublicPodcast,
  { what, ref }: { readonly what: 'podcast' | 'episode'; readonly ref: string },
  read: () => Promise<EpisodeDetail>,
): Promise<RouteResponse> {
  if (visibilityOf(show, 'api') === 'withheld') await read();
  requireVisible(show, 'api', what);
  return cachedJson(http, reply, show, `episode ${ref.toLowerCase()}`, async () => ({
    data: presentEpisodeDetail(http.ctx.installation, show, await read()),
  }));
}

/** Finds the current address of a visible episode requested under its podcast's old slug. */
async function findMoved(
  http: HttpContext,
  slug: string,
  ref: string,
): Promise<string | undefined> {
  const current = await findCurrentSlug(http.ctx, slug);
  if (current === undefined || current.slug === slug) return undefined;
  if ((await findPodcastOfEpisode(http.ctx, ref)) !== current.podcastId) return undefined;
  await http.podcasts.get(current.podcastId, 'api');
  return `/v1/podcasts/${current.slug}/episodes/${ref}`;
}

function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'not_found';
}
