import { playerUrl } from '../../domain/addresses.ts';
import type { Show } from '../../domain/catalogue/index.ts';
import { playerScript } from '../embed/player-script.ts';
import { type Html, html } from '../html.ts';
import type { Hosts } from './listen/view.ts';
import type { PageParts } from './page.ts';

export interface PlayerElement {
  /** Undefined: the newest. */
  readonly episodeId?: string;
  readonly layout?: 'full' | 'compact';
  readonly theme?: Show['playerTheme'];
  /** As high as the frame. */
  readonly fill?: boolean;
  /** What stands there while there is no script. */
  readonly plain: Html;
}

/**
 * The web component. It is told the show by its UUID, which outlives slugs, so that it can ask for
 * the show and the episode at once.
 */
export function renderPlayer(show: Show, player: PlayerElement): Html {
  const { episodeId, layout, theme, fill, plain } = player;
  const color = show.playerColor ?? show.brandColor;
  return html`<podstead-player podcast="${show.id}"${
    episodeId !== undefined && html` episode="${episodeId}"`
  }${layout !== undefined && html` layout="${layout}"`}${
    theme !== undefined && html` theme="${theme}"`
  }${fill === true && html` fill`}${color !== null && html` color="${color}"`}></podstead-player>
<noscript>${plain}</noscript>`;
}

/** What a page has to have beside the element. */
export function playerParts(hosts: Hosts): Pick<PageParts, 'scriptFile' | 'dataFrom'> {
  const { fileName, integrity } = playerScript;
  return {
    scriptFile: { src: playerUrl(hosts, fileName), integrity },
    dataFrom: [...new Set([hosts.embedUrl, hosts.baseUrl])],
  };
}
