import Type from 'typebox';
import { feedUrl } from '../../domain/addresses.ts';
import { findCurrentSlug, type Show, visibilityOf } from '../../domain/catalogue/index.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { buildFeed } from '../../domain/feeds/index.ts';
import { isSlug } from '../../lib/slug.ts';
import { cachedText } from '../cached.ts';
import { type Answer, defineRoute } from '../route.ts';
import type { Web } from '../web.ts';

/** `/feeds/{slug}.xml`; a slug the show had before leads to the present one. */
export const feedRoute = defineRoute({
  method: 'GET',
  path: '/feeds/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
  async handle(web, { params: { file }, query: { page = 1 } }) {
    const slug = file.endsWith('.xml') ? file.slice(0, -'.xml'.length) : '';
    if (!isSlug(slug)) throw notFound('feed');
    const current = await findCurrentSlug(web.ctx, slug);
    if (current === undefined) throw notFound('feed');
    const show = await web.shows.get(current.podcastId, 'feed');
    return answerFeed(web, show, slug, page);
  },
});

async function answerFeed(web: Web, show: Show, slug: string, page: number): Promise<Answer> {
  if (visibilityOf(show, 'feed') === 'moved' && show.newFeedUrl !== null) {
    return { kind: 'redirect', status: 301, location: show.newFeedUrl };
  }
  if (slug !== show.slug) {
    const location = feedUrl(web.ctx.installation, show.slug, page);
    return { kind: 'redirect', status: 301, location };
  }
  return cachedText(web, show, `feed ${page}`, 'application/rss+xml; charset=utf-8', async () => {
    const text = await buildFeed(web.ctx, show, page);
    if (text === undefined) throw invalid('page', 'The feed has fewer pages.');
    return text;
  });
}
