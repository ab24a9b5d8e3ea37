import type { BriefEpisode } from '../../../domain/public/catalogue/index.ts';
import { type Html, html } from '../../responses/html.ts';
import { listenAudioUrl } from './episode-facts.ts';
import type { EpisodeView } from './view.ts';

/** A button that plays the trailer at the bottom of the window. Without scripts, it opens the browser's own player. */
export function renderTrailer({
  hosts,
  episode,
  words,
}: EpisodeView<BriefEpisode>): Html | undefined {
  const src = listenAudioUrl(hosts, episode);
  if (src === undefined) return undefined;
  const label = words.text('playTitle', { title: episode.title });
  return html`<details class="listen trailer"><summary class="button" data-episode="${episode.id}"><span class="sign"></span><span class="paused">${words.html('playTrailer')}</span><span class="playing">${words.html('pauseTrailer')}</span></summary>
<audio controls preload="none" src="${src}" aria-label="${label}"></audio></details>
`;
}
