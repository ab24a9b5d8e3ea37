import type { BriefEpisode, TrailerElsewhere } from '../../../domain/public/catalogue/index.ts';
import { type Html, html } from '../../responses/html.ts';
import { listenAudioUrl } from './episode-facts.ts';
import type { EpisodeView, View } from './view.ts';

/** A button that plays the trailer at the bottom of the window. Without scripts, it opens the browser's own player. */
export function renderTrailer(view: EpisodeView<BriefEpisode>): Html | undefined {
  const { hosts, episode } = view;
  const src = listenAudioUrl(hosts, episode);
  if (src === undefined) return undefined;
  return renderButton(view, { src, title: episode.title, episodeId: episode.id });
}

/** The same for one that isn't an episode: with scripts, too, the browser's own player plays it. */
export function renderTrailerElsewhere(view: View, { title, url }: TrailerElsewhere): Html {
  return renderButton(view, { src: url, title });
}

function renderButton(
  { words }: View,
  { src, title, episodeId }: { src: string; title: string; episodeId?: string },
): Html {
  const label = words.text('playTitle', { title });
  const target = episodeId === undefined ? html` data-trailer` : html` data-episode="${episodeId}"`;
  return html`<details class="listen trailer"><summary class="button"${target}><span class="sign"></span><span class="paused">${words.html('playTrailer')}</span><span class="playing">${words.html('pauseTrailer')}</span></summary>
<audio controls preload="none" src="${src}" aria-label="${label}"></audio></details>
`;
}
