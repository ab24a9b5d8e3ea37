import { appPages } from '../../../../domain/addresses.ts';
import { roleOf } from '../../../../domain/permissions/index.ts';
import { listMyPodcasts, type MyPodcast } from '../../../../domain/podcasts/index.ts';
import { isUuid } from '../../../../lib/uuid.ts';
import { type Html, html } from '../../../html.ts';
import { createSettingsPage } from '../frame.ts';
import { defineSettingsPage } from '../page-route.ts';

const path = appPages.podcasts;
const mostShown = 200;

export const podcastsPage = defineSettingsPage({
  path,
  async show({ requester, done }, { after: afterId }) {
    const refs = typeof afterId === 'string' && isUuid(afterId) ? [afterId] : [];
    const [after] = (await listMyPodcasts(requester.ctx, { limit: 1, refs })).items;
    const { items, next } = await listMyPodcasts(requester.ctx, { limit: mostShown, after });
    return createSettingsPage(requester, {
      title: 'Podcasts',
      path,
      done,
      body:
        items.length === 0
          ? renderFirstSteps(requester.session.email)
          : html`<ul class="cards">${items.map(renderPodcast)}</ul>
${next && html`<p><a class="button" href="${path}?after=${next.id}">More podcasts</a></p>`}`,
    });
  },
});

/** Shown to users without a podcast. Podcasts are created and imported on the command line. */
function renderFirstSteps(email: string): Html {
  const owner = `--owner ${email}`;
  return html`<p>You have no podcasts yet. There are three ways to start.</p>
<h2>Import a podcast</h2>
<p>The operator of this service can import it from its feed:</p>
<pre><code>podstead import https://example.com/feed.xml ${owner}</code></pre>
<h2>Create a podcast</h2>
<p>The operator can create a podcast and add episodes:</p>
<pre><code>podstead podcast create ${owner} --title "My show"</code></pre>
<h2>Join a team</h2>
<p>The owner of a podcast can invite <strong>${email}</strong>. The invitation comes by email.</p>
`;
}

const statusNames: Readonly<Record<MyPodcast['status'], string>> = {
  draft: 'Draft',
  active: 'Active',
  paused: 'Paused',
  overage_suspended: 'Suspended: over its quota',
  moved: 'Moved to another host',
};

function renderPodcast({ title, slug, status, membership }: MyPodcast): Html {
  return html`<li class="card"><h2>${title}${
    status !== 'active' && html` <span class="badge">${statusNames[status]}</span>`
  }</h2>
<p class="meta">${roleOf(membership).roleName} · ${slug}</p>
<p>${status === 'active' && html`<a href="/listen/${slug}">Listen page</a>`}</p></li>
`;
}
