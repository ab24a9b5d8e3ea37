import { listenUrl } from '../../../domain/foundation/addresses.ts';
import type { BriefEpisode, ListedEpisode } from '../../../domain/public/catalogue/index.ts';
import { summarize } from '../../../lib/summary.ts';
import { type Html, html } from '../../responses/html.ts';
import { excerpt } from '../format.ts';
import { listenAudioUrl, renderFacts } from './episode-facts.ts';
import { renderPicture } from './picture.ts';
import { isEndless, renderTitle } from './title.ts';
import type { EpisodeView } from './view.ts';
import { renderLater } from './visit.ts';

const excerptChars = 180;

/** An episode in a list. */
export function renderEpisodeRow(view: EpisodeView): Html {
  const { show, episode } = view;
  return renderRow(view, renderTitle(episode.title, show.language), renderExcerpt(episode));
}

/** The beginning of what it is about, unless its title says the same. */
export function renderExcerpt(episode: ListedEpisode): Html | false {
  const text = excerpt(summarize(episode), excerptChars);
  const title = excerpt(summarize({ subtitle: episode.title, description: '' }), excerptChars);
  return text !== '' && text !== title && html`<p class="excerpt" dir="auto">${text}</p>`;
}

export function renderRow(view: EpisodeView<BriefEpisode>, title: Html, about: Html | false): Html {
  const { hosts, show, episode } = view;
  const page = listenUrl(hosts, show, episode.slug);
  const artwork = episode.artwork !== null && episode.artwork.id !== show.artwork?.id;
  const picture = { boxPx: 160, className: 'thumb', lazy: true } as const;
  return html`<li class="episode">
<div class="text">
${renderFacts(view)}
<h3 class="${isEndless(episode.title) ? 'heading endless' : 'heading'}" dir="auto"><a class="name" href="${page}">${title}</a></h3>
${about}
${renderLater(view)}</div>
${artwork && episode.artwork && renderPicture(hosts, episode.artwork, picture)}${renderPlay(view)}</li>
`;
}

/** Opens the browser's own player; the component replaces it. */
function renderPlay(view: EpisodeView<BriefEpisode>): Html | undefined {
  const { episode, words } = view;
  const src = listenAudioUrl(view.hosts, episode);
  if (src === undefined) return undefined;
  const label = words.text('playTitle', { title: episode.title });
  return html`
<details class="listen"><summary class="play" data-episode="${episode.id}" aria-label="${label}"></summary>
<audio controls preload="none" src="${src}" aria-label="${label}"></audio></details>
`;
}
