import { listenUrl } from '../../../domain/addresses.ts';
import { type Html, html } from '../../html.ts';
import { excerpt } from '../format.ts';
import { listenAudioUrl } from './audio.ts';
import { renderFacts } from './episode-facts.ts';
import { renderPicture } from './picture.ts';
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
${artwork && episode.artwork && renderPicture(hosts, episode.artwork, picture)}
<div class="text">
${renderFacts(view)}
<h3 dir="auto"><a class="name" href="${page}">${episode.title}</a></h3>
${saysMore && html`<p dir="auto">${excerpt(text, excerptChars)}</p>`}
${renderPlay(view, page)}</div>
</li>
`;
}

/** Without a script a link to the episode's page; with it, a player appears in its place. */
function renderPlay(view: EpisodeView, page: string): Html | undefined {
  const { episode, words } = view;
  if (listenAudioUrl(view.hosts, episode) === undefined) return undefined;
  const label = words.text('playTitle', { title: episode.title });
  return html`<a class="button play" href="${page}" data-episode="${episode.id}" aria-label="${label}">${words.html('play')}</a>
`;
}
