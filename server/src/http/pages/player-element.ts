import { playerUrl } from '../../domain/foundation/addresses.ts';
import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { playerScript } from '../embed/player-script.ts';
import { type Html, html, renderJsonScript } from '../responses/html.ts';
import { playerColor } from './color.ts';
import type { Hosts } from './listen/view.ts';
import type { PageParts } from './page.ts';

export interface PlayerElement {
  /** Undefined: the newest episode. */
  readonly episodeId?: string;
  readonly layout?: 'full' | 'compact';
  readonly theme?: PublicPodcast['playerTheme'];
  /** Fills the height of the frame. */
  readonly fill?: boolean;
  /** The show and the episode, as the player reads them from the API, if that does not have them. */
  readonly given?: object;
  /** Fallback content for when the script does not run. */
  readonly plain: Html;
}

/**
 * Renders the web component. It gets the show's UUID, which never changes, so that it can request
 * show and episode at once.
 */
export function renderPlayer(show: PublicPodcast, player: PlayerElement): Html {
  const { episodeId, layout, theme, fill, given, plain } = player;
  const color = playerColor(show);
  return html`<podstead-player podcast="${show.id}"${
    episodeId !== undefined && html` episode="${episodeId}"`
  }${layout !== undefined && html` layout="${layout}"`}${
    theme !== undefined && html` theme="${theme}"`
  }${fill === true && html` fill`} color="${color}">${plain}${given && renderJsonScript('application/json', given)}</podstead-player>`;
}

/** The script and origins that a page with the element needs. */
export function playerParts(hosts: Hosts): Pick<PageParts, 'scriptFile' | 'dataFrom'> {
  const { fileName, integrity } = playerScript;
  return {
    scriptFile: { src: playerUrl(hosts, fileName), integrity },
    dataFrom: [...new Set([hosts.embedUrl, hosts.baseUrl])],
  };
}
