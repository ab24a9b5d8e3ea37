import { appPages } from '../../../../domain/addresses.ts';
import {
  isConnected,
  type ListedSite,
  listSites,
  maxSites,
} from '../../../../domain/sites/index.ts';
import { type Html, html } from '../../../html.ts';
import { createSettingsPage } from '../frame.ts';
import { renderMoment } from '../moment.ts';
import { defineSettingsPage } from '../page-route.ts';
import {
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
const mostShown = 100;

export const sitesPage = defineSettingsPage({
  path,
  async show({ requester, done }, { after }) {
    const { ctx, session } = requester;
    const { items, next } = await listSites(ctx, {
      userId: session.userId,
      limit: mostShown,
      after: readPlace(after),
    });
    const connected = items.filter(isConnected);
    const ended = items.filter((site) => !isConnected(site));
    return createSettingsPage(requester, {
      title: 'Sites',
      path,
      done,
      body: html`<p>Websites that show your episodes, each in a post of its own. You can connect up to ${maxSites}
sites; a new password disconnects them all.</p>
${items.length === 0 && renderFirstSteps(ctx.installation.baseUrl)}${renderCards(connected)}${
  ended.length > 0 && html`<h2>No longer connected</h2>\n${renderCards(ended)}`
}${next && html`<p><a class="button" href="${path}?after=${writePlace(next)}">More sites</a></p>\n`}
<h2>Connect from a command line</h2>
<p>If the site is set up without a browser, <a href="${path}/new-key">create a site key</a> and give it
to the plugin.</p>
`,
    });
  },
});

function renderFirstSteps(baseUrl: string): Html {
  return html`<div class="card"><h2>Connect your first site</h2>
<ol>
<li>Install the plugin on your WordPress site. The operator of this service can give it to you.</li>
<li>Open Settings → Podstead there, enter <code>${baseUrl}</code> and press <b>Connect</b>. The site leads you
back here.</li>
<li>Choose the shows that it may read, and allow it.</li>
</ol>
<p>Authors of other plugins: <a href="/docs/sites">how sites are connected</a>.</p></div>
`;
}

function renderCards(sites: readonly ListedSite[]): Html | undefined {
  if (sites.length === 0) return undefined;
  return html`<ul class="cards">${sites.map(renderSite)}</ul>
`;
}

function renderSite(site: ListedSite): Html {
  const { id, siteUrl, siteName, shows, expiresAt, endedAt, syncErrorCount } = site;
  const heading = isConnected(site) ? 'h2' : 'h3';
  const label = shortAddress(siteUrl);
  return html`<li class="card"><${heading}><a href="${path}/${id}">${siteName ?? label}</a> ${renderStatus(site)}</${heading}>
<p>${renderSiteAddress(siteUrl)}</p>
<dl class="pairs">
<dt>Shows</dt><dd>${renderShows(shows)}</dd>
${
  isConnected(site)
    ? html`<dt>Changes</dt><dd>${renderProgress(site)}</dd>
<dt>Last sync</dt><dd>${renderLastSync(site)}</dd>
<dt>Runs on</dt><dd>${renderVersions(site)}</dd>
<dt>Expires</dt><dd>${renderMoment(expiresAt)}</dd>`
    : html`<dt>Ended</dt><dd>${renderMoment(endedAt ?? expiresAt)}</dd>`
}
${syncErrorCount > 0 && html`<dt>Errors</dt><dd>${syncErrorCount} since it was connected</dd>`}
</dl>
${renderPingTrouble(site)}</li>
`;
}
