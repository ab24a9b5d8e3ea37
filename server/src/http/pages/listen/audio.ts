import { mediaMarkers, mediaUrl } from '../../../domain/foundation/addresses.ts';
import type { ListedEpisode } from '../../../domain/public/catalogue/index.ts';
import { type Html, html } from '../../html.ts';
import { renderPlayer } from '../player-element.ts';
import type { EpisodeView, Hosts } from './view.ts';

/** The audio URL for this page; undefined if there is none. */
export function listenAudioUrl(hosts: Hosts, episode: ListedEpisode): string | undefined {
  const fileName = episode.audio?.fileName ?? undefined;
  if (fileName === undefined) return undefined;
  return mediaUrl(hosts, { episodeId: episode.id, fileName }, mediaMarkers.listenPage);
}

/**
 * The player of a listen page, which shows image, chapters and notes itself. Nothing is preloaded,
 * so viewing the page is no download.
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
