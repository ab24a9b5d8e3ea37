import { listenUrl } from '../../../domain/foundation/addresses.ts';
import { type Html, html } from '../../html.ts';
import { excerpt } from '../format.ts';
import { listenAudioUrl } from './audio.ts';
import { renderFacts } from './episode-facts.ts';
import { renderPicture } from './picture.ts';
import { renderTitle } from './title.ts';
import type { EpisodeView } from './view.ts';

const excerptChars = 180;

/** An episode in the list. */
export function renderEpisodeRow(view: EpisodeView): Html {
  const { hosts, show, episode } = view;
  const page = listenUrl(hosts, show.slug, episode.slug);
  const text = episode.subtitle?.trim() || episode.description.trim();
  const saysMore = text !== '' && text !== episode.title.trim();
  const artwork = episode.artwork !== null && episode.artwork.id !== show.artwork?.id;
  const picture = { boxPx: 160, className: 'thumb', lazy: true } as const;
  return html`<li class="episode">
<div class="text">
${renderFacts(view)}
<h3 dir="auto"><a class="name" href="${page}">${renderTitle(episode.title, show.language)}</a></h3>
${saysMore && html`<p class="excerpt" dir="auto">${excerpt(text, excerptChars)}</p>`}
</div>
${artwork && episode.artwork && renderPicture(hosts, episode.artwork, picture)}${renderPlay(view)}</li>
`;
}

/** Opens the browser's own player; the component replaces it. */
function renderPlay(view: EpisodeView): Html | undefined {
  const { episode, words } = view;
  const src = listenAudioUrl(view.hosts, episode);
  if (src === undefined) return undefined;
  const label = words.text('playTitle', { title: episode.title });
  return html`
<details class="listen"><summary class="play" data-episode="${episode.id}" aria-label="${label}"></summary>
<audio controls preload="none" src="${src}" aria-label="${label}"></audio></details>
`;
}
