import Type from 'typebox';
import {
  type PublicEpisodeDetail as EpisodeDetail,
  findCurrentSlug,
  findPodcastOfEpisode,
  getLatestEpisode,
  getPublicEpisode,
  requireVisible,
  type Show,
  visibilityOf,
} from '../../../domain/catalogue/index.ts';
import { DomainError, notFound } from '../../../domain/errors.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { cachedJson } from '../../cached.ts';
import { type Answer, defineRoute, type RouteInput } from '../../route.ts';
import type { Web } from '../../web.ts';
import { episodeId, episodeRef, podcastSlug } from '../parameters.ts';
import { presentEpisodeDetail } from '../present.ts';
import { publicResponses } from '../responses.ts';
import { PublicEpisodeDetail } from '../schemas.ts';

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
      'By the slugs or the UUIDs of both. An old slug of the podcast is known only together with the UUID of an episode.',
    responses: {
      ...responses,
      301: {
        description: 'The podcast has another slug now. No body.',
        headers: ['Location', 'PublicCaching'],
      },
    },
    errors: [403, 404],
  },
  async handle(web, { params: { slug, ref }, reply }) {
    try {
      const show = await web.shows.find(slug);
      return await answerEpisode(web, reply, show, ref, () => getPublicEpisode(web.ctx, show, ref));
    } catch (error) {
      const moved = isNotFound(error) && isUuid(ref) && (await findMoved(web, slug, ref));
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
    description: 'The one published last. A podcast without a public episode has none: 404.',
    responses,
    errors: [403, 404],
  },
  async handle(web, { params, reply }) {
    const show = await web.shows.find(params.slug);
    return answerEpisode(web, reply, show, 'latest', () => getLatestEpisode(web.ctx, show));
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
    description: 'For those who do not know its podcast.',
    responses,
    errors: [403, 404],
  },
  async handle(web, { params: { id }, reply }) {
    const podcastId = await findPodcastOfEpisode(web.ctx, id);
    if (podcastId === undefined) throw notFound('episode');
    const show = await web.shows.find(podcastId);
    return answerEpisode(web, reply, show, id, () => getPublicEpisode(web.ctx, show, id));
  },
});

/** A withheld show's episode is refused as such only if it were visible otherwise (rule 4). */
async function answerEpisode(
  web: Web,
  reply: RouteInput<never, never>['reply'],
  show: Show,
  ref: string,
  read: () => Promise<EpisodeDetail>,
): Promise<Answer> {
  if (visibilityOf(show, 'api') === 'withheld') await read();
  requireVisible(show, 'api', 'episode');
  return cachedJson(web, reply, show, `episode ${ref.toLowerCase()}`, async () => ({
    data: presentEpisodeDetail(web.ctx.installation, show, await read()),
  }));
}

/** The current address of a visible episode asked for under its podcast's old slug. */
async function findMoved(web: Web, slug: string, ref: string): Promise<string | undefined> {
  const current = await findCurrentSlug(web.ctx, slug);
  if (current === undefined || current.slug === slug) return undefined;
  if ((await findPodcastOfEpisode(web.ctx, ref)) !== current.podcastId) return undefined;
  await web.shows.get(current.podcastId, 'api');
  return `/v1/podcasts/${current.slug}/episodes/${ref}`;
}

function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'not_found';
}
