import { listMyPodcasts, type MyPodcast, roleNameOf } from '../../../../domain/podcasts/index.ts';
import { isUuid } from '../../../../lib/uuid.ts';
import { type Html, html } from '../../../html.ts';
import { createSettingsPage } from '../frame.ts';
import { defineSettingsPage } from '../page-route.ts';

const path = '/app/podcasts';
const mostShown = 200;

export const podcastsPage = defineSettingsPage({
  path,
  async show({ visitor, done }, { after: afterId }) {
    const refs = typeof afterId === 'string' && isUuid(afterId) ? [afterId] : [];
    const [after] = (await listMyPodcasts(visitor.ctx, { limit: 1, refs })).items;
    const { items, next } = await listMyPodcasts(visitor.ctx, { limit: mostShown, after });
    return createSettingsPage(visitor, {
      title: 'Podcasts',
      path,
      done,
      body:
        items.length === 0
          ? html`<p>You work on no podcast yet. Whoever owns one can invite you; whoever runs this service can
import yours, or make a new one.</p>`
          : html`<ul class="cards">${items.map(renderPodcast)}</ul>
${next && html`<p><a class="button" href="${path}?after=${next.id}">More podcasts</a></p>`}`,
    });
  },
});

function renderPodcast({ title, slug, status, membership }: MyPodcast): Html {
  return html`<li class="card"><h2>${title}${
    status !== 'active' && html` <span class="badge">${status.replace('_', ' ')}</span>`
  }</h2>
<p class="meta">${roleNameOf(membership)} · ${slug}</p>
<p>${status === 'active' && html`<a href="/listen/${slug}">Listen page</a>`}</p></li>
`;
}
