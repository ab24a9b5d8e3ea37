import { listenUrl } from '../../../domain/foundation/addresses.ts';
import type { EpisodeForPage, NeighbourEpisode } from '../../../domain/public/catalogue/index.ts';
import { type Html, html } from '../../responses/html.ts';
import { renderRow } from './episode-row.ts';
import { isToldInOrder } from './show-query.ts';
import { renderTitle } from './title.ts';
import type { View } from './view.ts';

export type Neighbours = Pick<EpisodeForPage, 'previous' | 'next' | 'others'>;

/**
 * A few other episodes, and links to those that were published before and after this one, unless they are among
 * these; empty if there are none.
 */
export function renderNeighbours(view: View, { previous, next, others }: Neighbours): Html | false {
  if (others.length === 0) return false;
  const { show, words } = view;
  const word = isToldInOrder(show) && next !== null ? 'nextEpisodes' : 'moreEpisodes';
  const listed = new Set(others.map(({ slug }) => slug));
  const link = (one: NeighbourEpisode | null, rel: 'prev' | 'next') =>
    one === null || listed.has(one.slug) ? [] : [renderNeighbour(view, one, rel)];
  const links = [...link(previous, 'prev'), ...link(next, 'next')];
  const rows = others.map((episode) =>
    renderRow({ ...view, episode }, renderTitle(episode.title, show.language), false),
  );
  return html`<section class="others" aria-labelledby="more">
<h2 id="more">${words.html(word)}</h2>
<ol class="list">
${rows}</ol>
${
  links.length > 0 &&
  html`<nav class="neighbours" aria-label="${words.text('episodes')}">
${links}</nav>`
}
</section>
`;
}

function renderNeighbour(
  { hosts, show, words }: View,
  { slug, title }: NeighbourEpisode,
  rel: 'prev' | 'next',
): Html {
  const word = rel === 'prev' ? 'previousEpisode' : 'nextEpisode';
  return html`<a class="neighbour ${rel}" rel="${rel}" href="${listenUrl(hosts, show, slug)}"><span class="meta">${words.html(word)}</span> <span class="name" dir="auto">${title}</span></a>
`;
}
