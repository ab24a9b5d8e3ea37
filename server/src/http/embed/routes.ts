import Type from 'typebox';
import { latestEmbedUrl } from '../../domain/addresses.ts';
import {
  findCurrentSlug,
  findPodcastOfEpisode,
  getLatestEpisode,
  getPublicEpisode,
  type PublicEpisode,
  requireVisible,
  type Show,
  visibilityOf,
} from '../../domain/catalogue/index.ts';
import { notFound } from '../../domain/errors.ts';
import { isSlug } from '../../lib/slug.ts';
import { isUuid } from '../../lib/uuid.ts';
import { cachedPage } from '../pages/cached-page.ts';
import { createView } from '../pages/listen/view.ts';
import { type Answer, defineRoute } from '../route.ts';
import type { Web } from '../web.ts';
import { type Layout, renderPlayerPage } from './player-page.ts';

/** `compact` for frames up to 120 px high; whatever else is said is the default. */
const query = Type.Object({ layout: Type.Optional(Type.Unknown()) });

export const episodePlayerRoute = defineRoute({
  method: 'GET',
  path: '/ep/:episodeId',
  access: 'public',
  params: Type.Object({ episodeId: Type.String() }),
  query,
  async handle(web, { params: { episodeId }, query: { layout } }) {
    const id = episodeId.toLowerCase();
    const podcastId = isUuid(id) ? await findPodcastOfEpisode(web.ctx, id) : undefined;
    if (podcastId === undefined) throw notFound('episode');
    const show = await web.shows.get(podcastId, 'page');
    return answerPlayer(web, show, id, layout, () => getPublicEpisode(web.ctx, show, id));
  },
});

export const latestPlayerRoute = defineRoute({
  method: 'GET',
  path: '/latest/:podcastSlug',
  access: 'public',
  params: Type.Object({ podcastSlug: Type.String() }),
  query,
  async handle(web, { params: { podcastSlug }, query: { layout }, request }) {
    const show = await getShow(web, podcastSlug);
    const read = () => getLatestEpisode(web.ctx, show);
    // Of a withheld show that has nothing to hear there is nothing to withhold.
    if (visibilityOf(show, 'page') === 'withheld') await read();
    requireVisible(show, 'page', 'podcast');
    if (!isUuid(podcastSlug) && podcastSlug !== show.slug) {
      const location = latestEmbedUrl(web.ctx.installation, show.slug) + queryOf(request.raw.url);
      return { kind: 'redirect', status: 301, location };
    }
    return answerPlayer(web, show, 'latest', layout, read);
  },
});

/** By UUID, or by a slug it has or had. */
async function getShow(web: Web, ref: string): Promise<Show> {
  if (isUuid(ref)) return web.shows.find(ref);
  const current = isSlug(ref) ? await findCurrentSlug(web.ctx, ref) : undefined;
  if (current === undefined) throw notFound('podcast');
  return web.shows.find(current.podcastId);
}

function answerPlayer(
  web: Web,
  show: Show,
  which: string,
  layoutQuery: unknown,
  read: () => Promise<PublicEpisode>,
): Promise<Answer> {
  const layout: Layout = layoutQuery === 'compact' ? 'compact' : 'full';
  const isLatest = which === 'latest';
  return cachedPage(web, show, `player ${which} ${layout}`, async () =>
    renderPlayerPage(
      { ...createView(web.ctx.installation, show), episode: await read() },
      { layout, isLatest },
    ),
  );
}

function queryOf(url = ''): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
