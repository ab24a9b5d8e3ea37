import type { PageEpisode } from '../../../domain/public/catalogue/index.ts';
import { listSoundbites } from '../../../domain/publishing/episodes/index.ts';
import { type Html, html } from '../../responses/html.ts';
import { formatLength } from '../format.ts';
import { renderSeekLink, renderTime } from './chapter-section.ts';
import type { PlaceOf } from './places.ts';
import type { EpisodeView } from './view.ts';

/** They are above the show notes, which more would push out of sight. */
const mostHighlights = 6;

/** The first soundbites; each links to its position. Empty if there are none. */
export function renderHighlights(view: EpisodeView<PageEpisode>, placeOf: PlaceOf): Html | false {
  const { episode, show, words } = view;
  const soundbites = listSoundbites(episode.elements, episode.audio?.durationMs ?? null);
  if (soundbites.length === 0) return false;
  const items = soundbites.slice(0, mostHighlights).map(({ startMs, durationMs, title }, index) => {
    const name = title ?? words.text('highlight', { number: index + 1 });
    const length = formatLength(durationMs, show.language);
    const text = html`${renderTime(startMs)} <span dir="auto">${name}</span>`;
    return html`<li class="chapter">${renderSeekLink(startMs, text, 'highlight', placeOf)} <span class="meta">${length}</span></li>
`;
  });
  return html`<section aria-labelledby="highlights">
<h2 id="highlights">${words.html('highlights')}</h2>
<ol class="list">
${items}</ol>
</section>
`;
}
