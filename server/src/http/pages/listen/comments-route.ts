import Type from 'typebox';
import { listenUrl } from '../../../domain/foundation/addresses.ts';
import { notFound } from '../../../domain/foundation/errors.ts';
import {
  type EpisodeForPage,
  findPodcastOfEpisode,
  getEpisodeForPage,
} from '../../../domain/public/catalogue/index.ts';
import { type Comment, findPostUrl, readComments } from '../../../domain/public/comments/index.ts';
import { requireVisible } from '../../../domain/publishing/podcasts/index.ts';
import type { Claim } from '../../../platform/processes/turns.ts';
import { readForAll } from '../../cache/cached.ts';
import { isCanonicalUuid } from '../../files/file-name.ts';
import type { HttpContext } from '../../http-context.ts';
import { Waiters } from '../../limits/waiters.ts';
import { html } from '../../responses/html.ts';
import { noStore, publicCaching } from '../../responses/payload.ts';
import { defineRoute } from '../../route.ts';
import { createPage, type Page, pageType } from '../page.ts';
import { withPodcast } from '../with-podcast.ts';
import { renderComments } from './comments-section.ts';
import { renderShowBar } from './episode-page.ts';
import { listenStyle, renderFooter } from './head.ts';
import { renderTitle, titleSize } from './title.ts';
import { createView, type EpisodeView } from './view.ts';

/**
 * `/comments/{episode}`: the comments on an episode, PAGE-22. The script of the episode's page inserts
 * them there; without scripts, this is a page of its own.
 */
export const commentsRoute = defineRoute({
  method: 'GET',
  path: '/comments/:episode',
  access: 'public',
  params: Type.Object({ episode: Type.String() }),
  async handle(http, { params: { episode: id }, request }) {
    const podcastId = isCanonicalUuid(id) ? await findPodcastOfEpisode(http.ctx, id) : undefined;
    if (podcastId === undefined) throw notFound('episode');
    const show = await http.podcasts.find(podcastId);
    return withPodcast(http, show, async () => {
      requireVisible(show, 'page', 'podcast');
      const episode = await getEpisodeForPage(http.ctx, show, id);
      const postUrl = findPostUrl(episode.elements);
      if (postUrl === undefined) throw notFound('page');
      const network = http.blockOf(request.raw);
      const comments = await readForLater(http, network, show.id, postUrl);
      const view = { ...createView(http.ctx.installation, show), episode };
      // Another request may be reading them at this moment, so the next try should come here.
      const caching = { ...publicCaching, ...(comments ? {} : { cacheControl: noStore }) };
      const { text, headers } = renderCommentsPage(view, postUrl, comments);
      return { kind: 'text', contentType: pageType, text, headers, caching };
    });
  },
});

/** Goes on if the client leaves: what is read is for all that come in the next minutes. */
function readForLater(
  http: HttpContext,
  client: string,
  podcastId: string,
  postUrl: string,
): Promise<readonly Comment[] | undefined> {
  const turns = { take: (claim: Claim) => http.commentReads.take({ ...claim, client }) };
  const read = () => readComments(http.ctx, turns, podcastId, postUrl);
  return readForAll(http, Waiters.one({ network: client, leaving: http.closing }), read);
}

function renderCommentsPage(
  view: EpisodeView<EpisodeForPage>,
  postUrl: string,
  comments: readonly Comment[] | undefined,
): Page {
  const { hosts, show, episode, words } = view;
  const { title } = episode;
  return createPage({
    language: show.language,
    title: `${words.text('comments')} – ${title}`,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<a class="skip" href="#main">${words.html('skip')}</a>
${renderShowBar(view)}
<main id="main" tabindex="-1">
<div class="band hero"><div class="column top">
<h1 class="${titleSize(title)}" dir="auto"><a class="name" href="${listenUrl(hosts, show, episode.slug)}">${renderTitle(title, show.language)}</a></h1>
</div></div>
<div class="column">
${renderComments(view, postUrl, comments)}</div>
</main>
${renderFooter(view)}`,
    style: listenStyle(show),
    filesFrom: hosts.baseUrl,
  });
}
