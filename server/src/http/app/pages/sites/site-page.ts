import { appPages } from '../../../../domain/addresses.ts';
import {
  getSite,
  isConnected,
  type ListedPost,
  type ListedSite,
  listSitePosts,
} from '../../../../domain/sites/index.ts';
import { type Html, html } from '../../../html.ts';
import { ids } from '../../schemas/fields.ts';
import { createSettingsPage } from '../frame.ts';
import { renderMoment } from '../moment.ts';
import { defineSettingsPage } from '../page-route.ts';
import {
  describeFreshness,
  describePost,
  renderLastSync,
  renderPingTrouble,
  renderProgress,
  renderShows,
  renderStatus,
  renderVersions,
} from './describe-site.ts';
import { readPlace, writePlace } from './place.ts';
import { renderSiteAddress, shortAddress } from './site-address.ts';

const path = appPages.sites;
const postsOnPage = 50;

export const sitePage = defineSettingsPage({
  path: `${path}/:siteId`,
  params: ids('siteId'),
  async show({ requester, params: { siteId }, done }, { after }) {
    const site = await getSite(requester.ctx, siteId);
    const page = { limit: postsOnPage, after: readPlace(after) };
    const { items, next } = await listSitePosts(requester.ctx, site.id, page);
    return createSettingsPage(requester, {
      title: site.siteName ?? shortAddress(site.siteUrl),
      path,
      done,
      wide: true,
      body: html`<p>${renderSiteAddress(site.siteUrl)} ${renderStatus(site)}</p>
${renderPingTrouble(site)}${renderPending(site)}${renderFacts(site)}${isConnected(site) && renderActions(site)}
<h2>Posts</h2>
${renderPosts(items)}${
  next &&
  html`<p><a class="button" href="${path}/${site.id}?after=${writePlace(next)}">Older posts</a></p>\n`
}<p><a href="${path}">Back to your sites</a></p>
`,
    });
  },
});

function renderPending({ status }: ListedSite): Html | undefined {
  if (status !== 'pending') return undefined;
  return html`<div class="notice"><p>You have allowed this connection, but the plugin has not finished it yet. If this stays
so, open the plugin's settings on the site and connect it again.</p></div>
`;
}

function renderFacts(site: ListedSite): Html {
  const { shows, transcripts, syncErrorCount, connectedAt, expiresAt, endedAt } = site;
  return html`<dl class="pairs">
<dt>Shows</dt><dd>${renderShows(shows)}</dd>
<dt>Transcripts</dt><dd>${transcripts ? 'included' : 'not included'}</dd>
<dt>Changes</dt><dd>${renderProgress(site)}</dd>
<dt>Last sync</dt><dd>${renderLastSync(site)}</dd>
<dt>Errors</dt><dd>${syncErrorCount === 0 ? 'none' : `${syncErrorCount} since it was connected`}</dd>
<dt>Runs on</dt><dd>${renderVersions(site)}</dd>
<dt>Connected</dt><dd>${renderMoment(connectedAt)}</dd>
${
  isConnected(site)
    ? html`<dt>Expires</dt><dd>${renderMoment(expiresAt)}; connect the site again before</dd>`
    : html`<dt>Ended</dt><dd>${renderMoment(endedAt ?? expiresAt)}</dd>`
}
</dl>
`;
}

function renderActions({ id, adminUrl }: ListedSite): Html {
  return html`<div class="row"><a class="button small" href="${path}/${id}/shows">Change shows</a><a class="button small" href="${adminUrl}" rel="noreferrer">Settings on the site</a><a class="button small danger" href="${path}/${id}/disconnect">Disconnect</a></div>
`;
}

function renderPosts(posts: readonly ListedPost[]): Html {
  if (posts.length === 0) return html`<p>The site has not reported any posts yet.</p>\n`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Posts"><table>
<thead><tr><th scope="col">Episode</th><th scope="col">Post</th><th scope="col">Content</th><th scope="col">Reported</th></tr></thead>
<tbody>${posts.map(renderPost)}</tbody>
</table></div>
`;
}

function renderPost(post: ListedPost): Html {
  const { title, postUrl, reportedAt } = post;
  return html`<tr><td>${title ?? html`<span class="meta">Episode that the site no longer reads</span>`}</td>
<td><a href="${postUrl}" rel="noreferrer">${describePost(post)}<span class="hidden-text">: ${title ?? 'post'}</span></a></td>
<td>${describeFreshness(post)}</td><td>${renderMoment(reportedAt)}</td></tr>
`;
}
