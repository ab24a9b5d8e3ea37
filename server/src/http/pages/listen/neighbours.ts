import { listenUrl } from '../../../domain/foundation/addresses.ts';
import type { EpisodeForPage, NeighbourEpisode } from '../../../domain/public/catalogue/index.ts';
import { type Html, html } from '../../responses/html.ts';
import type { View } from './view.ts';

export type Neighbours = Pick<EpisodeForPage, 'previous' | 'next'>;

/** Links to the episodes that were published before and after this one; empty if there are none. */
export function renderNeighbours(view: View, { previous, next }: Neighbours): Html | false {
  if (previous === null && next === null) return false;
  return html`<nav class="neighbours" aria-label="${view.words.text('episodes')}">
${previous && renderNeighbour(view, previous, 'prev')}${next && renderNeighbour(view, next, 'next')}</nav>
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
