import { imageUrl, mediaMarkers, mediaUrl } from '../../../domain/addresses.ts';
import type { PublicEpisode } from '../../../domain/catalogue/index.ts';
import { type Html, html } from '../../html.ts';
import { cardBoxPx } from './picture.ts';
import type { EpisodeView, Hosts } from './view.ts';

/** The audio as this page publishes it; undefined where there is none to give. */
export function listenAudioUrl(hosts: Hosts, episode: PublicEpisode): string | undefined {
  const fileName = episode.audio?.fileName ?? undefined;
  if (fileName === undefined) return undefined;
  return mediaUrl(hosts, { episodeId: episode.id, fileName }, mediaMarkers.listenPage);
}

/** Nothing is loaded before somebody plays it: a page that is looked at is no download. */
export function renderAudio(view: EpisodeView, src: string): Html {
  const { hosts, show, episode, words } = view;
  const artwork = episode.artwork ?? show.artwork;
  return html`<audio controls preload="none" src="${src}" aria-label="${words.text('playTitle', { title: episode.title })}" data-title="${episode.title}" data-show="${show.title}"${artwork !== null && html` data-artwork="${imageUrl(hosts, artwork, cardBoxPx)}"`}></audio>`;
}
