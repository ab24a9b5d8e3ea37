import { playerUrl } from '../../../domain/foundation/addresses.ts';
import type { BriefEpisode } from '../../../domain/public/catalogue/index.ts';
import { visitScript } from '../../embed/player-script.ts';
import { type Html, html, renderJsonScript } from '../../responses/html.ts';
import { playerColor } from '../color.ts';
import type { PageParts } from '../page.ts';
import { playerParts } from '../player-element.ts';
import type { Word } from '../words.ts';
import { listenAudioUrl } from './episode-facts.ts';
import type { EpisodeView, View } from './view.ts';

/** What the player at the bottom says. */
const spoken = [
  'play',
  'pause',
  'playTitle',
  'pauseTitle',
  'queueAdd',
  'queueRemove',
  'player',
  'queue',
  'queueAndMore',
  'queueEmpty',
  'queueClear',
  'moveUp',
  'moveDown',
  'remove',
  'queueMoved',
  'queueAdded',
  'queueRemoved',
  'autoplay',
  'sleepTimer',
  'sleepOff',
  'sleepEnd',
  'cast',
  'closePlayer',
  'chapters',
  'offlinePage',
  'offlineNext',
  'timeLeft',
  'transcript',
] satisfies Word[];

/** Placeholders stay: the script fills them. */
const open = { title: '{title}', number: '{number}', count: '{count}', time: '{time}' };

/**
 * What a listen page tells the script of the player that stays while listeners move between pages
 * (PAGE-19). The script is loaded when somebody plays or queues an episode. `episodeId`: the page's own;
 * `next`: the slug of the one that was published after it.
 */
export function renderVisit(
  { hosts, show, words }: View,
  episodeId?: string,
  next: string | null = null,
): Html {
  const { fileName, integrity } = visitScript;
  const data = {
    script: playerUrl(hosts, fileName),
    integrity,
    // Where further listen pages of this origin are.
    pages: show.domain === null ? '/listen/' : '/',
    podcast: show.id,
    show: show.title,
    color: playerColor(show),
    ...(show.pageTheme !== 'auto' && { theme: show.pageTheme }),
    episode: episodeId ?? null,
    next,
    language: words.isSpoken ? show.language : 'en',
    words: Object.fromEntries(spoken.map((word) => [word, words.text(word, open)])),
  };
  return html`<div id="visit" hidden>${renderJsonScript('application/json', data)}</div>`;
}

/** What the policy of a page with such a player allows, beside the player itself. */
export function visitParts({
  hosts,
}: View): Pick<PageParts, 'scriptFile' | 'laterScripts' | 'dataFrom'> {
  const { scriptFile, dataFrom = [] } = playerParts(hosts);
  // A show's own domain has other pages at its own origin.
  return {
    ...(scriptFile && { scriptFile }),
    laterScripts: [playerUrl(hosts, visitScript.fileName)],
    dataFrom: ["'self'", ...dataFrom],
  };
}

/** Puts the episode into the queue or takes it out. The page's style hides it where no script runs. */
export function renderQueueButton(
  view: EpisodeView<BriefEpisode>,
  className: 'queue' | 'tool',
): Html {
  const { episode, words } = view;
  return html`<button class="${className}" type="button" data-queue="${episode.id}" data-title="${episode.title}">${words.html('queueAdd')}</button>`;
}

/** Below an episode in a list: how much of it is left on this device, and the queue. */
export function renderLater(view: EpisodeView<BriefEpisode>): Html | undefined {
  const { hosts, episode, words } = view;
  if (listenAudioUrl(hosts, episode) === undefined) return undefined;
  const { durationMs = null } = episode.audio ?? {};
  return html`<p class="later"${
    durationMs !== null &&
    html` data-left="${words.text('timeLeft', { time: '{time}' })}" data-of="${episode.id}" data-seconds="${Math.round(durationMs / 1000)}"`
  }>${renderQueueButton(view, 'queue')}</p>`;
}
