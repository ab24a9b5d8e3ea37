import { mediaMarkers, mediaUrl } from '../../../domain/addresses.ts';
import type { PublicEpisode } from '../../../domain/catalogue/index.ts';
import { type Html, html } from '../../html.ts';
import { renderPlayer } from '../player-element.ts';
import type { EpisodeView, Hosts } from './view.ts';

/** The audio as this page publishes it; undefined where there is none to give. */
export function listenAudioUrl(hosts: Hosts, episode: PublicEpisode): string | undefined {
  const fileName = episode.audio?.fileName ?? undefined;
  if (fileName === undefined) return undefined;
  return mediaUrl(hosts, { episodeId: episode.id, fileName }, mediaMarkers.listenPage);
}

/**
 * The player of a page that has pictures, chapters and notes of its own. Nothing of the audio is
 * loaded before somebody plays it: a page that is looked at is no download.
 */
export function renderAudio({ show, episode, words }: EpisodeView, src: string): Html {
  const label = words.text('playTitle', { title: episode.title });
  return renderPlayer(show, {
    episodeId: episode.id,
    layout: 'compact',
    theme: 'auto',
    plain: html`<audio controls preload="none" src="${src}" aria-label="${label}"></audio>`,
  });
}
