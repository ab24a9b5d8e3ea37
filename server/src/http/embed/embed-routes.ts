import Type from 'typebox';
import { latestEmbedUrl } from '../../domain/foundation/addresses.ts';
import { requireFound } from '../../domain/foundation/errors.ts';
import {
  findCurrentSlug,
  findLatestPlayable,
  findPodcastOfEpisode,
  getPublicEpisode,
  type PublicEpisode,
  type PublicPodcast,
} from '../../domain/public/catalogue/index.ts';
import { requireVisible, visibilityOf } from '../../domain/publishing/podcasts/index.ts';
import { isSlug } from '../../lib/slug.ts';
import { isUuid } from '../../lib/uuid.ts';
import type { HttpContext } from '../http-context.ts';
import { cachedPage, pageOnce } from '../pages/cached-page.ts';
import { createView } from '../pages/listen/view.ts';
import { requireEpisodePage, withPodcast } from '../pages/with-podcast.ts';
import { queryOf } from '../requests/request-target.ts';
import { defineRoute, type RouteResponse } from '../route.ts';
import { codeQuery, renderCodePage } from './code-page.ts';
import { type Layout, renderEmptyPlayerPage, renderPlayerPage } from './embed-page.ts';

/** `compact` for frames up to 120 px high; anything else is the default. */
const query = Type.Object({ layout: Type.Optional(Type.Unknown()) });

export const episodePlayerRoute = defineRoute({
  method: 'GET',
  path: '/ep/:episodeId',
  access: 'public',
  params: Type.Object({ episodeId: Type.String() }),
  query,
  handle(http, { params: { episodeId }, query: { layout } }) {
    return ofEpisode(http, episodeId, (show, id) =>
      respondWithPlayer(http, show, id, layout, () => getPublicEpisode(http.ctx, show, id)),
    );
  },
});

/** The code of the episode's player for other sites. */
export const playerCodeRoute = defineRoute({
  method: 'GET',
  path: '/ep/:episodeId/code',
  access: 'public',
  params: Type.Object({ episodeId: Type.String() }),
  query: codeQuery,
  handle(http, { params: { episodeId }, query: choice }) {
    return ofEpisode(http, episodeId, async (show, id) => {
      const episode = await getPublicEpisode(http.ctx, show, id);
      return pageOnce(
        show,
        renderCodePage({ ...createView(http.ctx.installation, show), episode }, choice),
      );
    });
  },
});

/** `respond` gets the id in lower case, and the show, if pages of its episodes are public. */
async function ofEpisode(
  http: HttpContext,
  episodeId: string,
  respond: (show: PublicPodcast, id: string) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const id = episodeId.toLowerCase();
  const podcastId = isUuid(id) ? await findPodcastOfEpisode(http.ctx, id) : undefined;
  const show = await http.podcasts.find(requireFound(podcastId, 'episode'));
  return withPodcast(http, show, async () => {
    await requireEpisodePage(http, show, id);
    return respond(show, id);
  });
}

export const latestPlayerRoute = defineRoute({
  method: 'GET',
  path: '/latest/:podcastSlug',
  access: 'public',
  params: Type.Object({ podcastSlug: Type.String() }),
  query,
  async handle(http, { params: { podcastSlug }, query: { layout }, request }) {
    const show = await getPodcast(http, podcastSlug);
    return withPodcast(http, show, () =>
      respondWithLatest(http, show, podcastSlug, layout, request.raw.url),
    );
  },
});

async function respondWithLatest(
  http: HttpContext,
  show: PublicPodcast,
  ref: string,
  layout: unknown,
  url: string | undefined,
): Promise<RouteResponse> {
  const read = () => findLatestPlayable(http.ctx, show);
  // Without a public episode, there is nothing to withhold.
  if (visibilityOf(show, 'page') === 'withheld') requireFound(await read(), 'episode');
  requireVisible(show, 'page', 'podcast');
  if (!isUuid(ref) && ref !== show.slug) {
    const location = latestEmbedUrl(http.ctx.installation, show.slug) + queryOf(url);
    return { kind: 'redirect', status: 301, location };
  }
  return respondWithPlayer(http, show, 'latest', layout, read);
}

/** By UUID, or by a current or former slug. */
async function getPodcast(http: HttpContext, ref: string): Promise<PublicPodcast> {
  if (isUuid(ref)) return http.podcasts.find(ref);
  const current = isSlug(ref) ? await findCurrentSlug(http.ctx, ref) : undefined;
  return http.podcasts.find(requireFound(current, 'podcast').podcastId);
}

function respondWithPlayer(
  http: HttpContext,
  show: PublicPodcast,
  which: string,
  layoutQuery: unknown,
  read: () => Promise<PublicEpisode | undefined>,
): Promise<RouteResponse> {
  const layout: Layout = layoutQuery === 'compact' ? 'compact' : 'full';
  return cachedPage(http, show, `player ${which} ${layout}`, async () => {
    const view = createView(http.ctx.installation, show);
    const episode = await read();
    return episode === undefined
      ? renderEmptyPlayerPage(view, layout)
      : renderPlayerPage({ ...view, episode }, layout);
  });
}
