import type { PodsteadPlayerElement } from '../../index.d.ts';
import { h, set, setText } from '../view/dom.ts';
import { linkedSeconds, type PageInfo, type Say, sayIn } from './page-info.ts';
import type { Entry, Queue } from './queue.ts';

/** The buttons of a listen page, for an episode to play or to queue. */
export class PageControls {
  readonly #page: PageInfo;
  readonly #say: Say;

  constructor(page: PageInfo) {
    this.#page = page;
    this.#say = sayIn(page);
  }

  /** The page's own players become buttons, because the one at the bottom plays. */
  replacePlayers(): void {
    for (const player of document.querySelectorAll<HTMLElement>('main podstead-player')) {
      this.replacePlayer(player);
    }
  }

  /** Whoever has just pressed play sees nothing move: the button takes as much room. */
  replacePlayer(player: Element, heightPx = 0): void {
    const id = player.getAttribute('episode');
    const { duration } = player as PodsteadPlayerElement;
    const sign = h('span', { class: 'sign' });
    const button = h('button', { class: 'button', type: 'button', 'data-episode': id }, sign, '');
    const standIn = h('p', { class: 'stand-in' }, button);
    const left = this.#say('timeLeft', { time: '{time}' });
    Object.assign(standIn.dataset, { left, of: id, seconds: duration || '' });
    if (heightPx > 0) standIn.style.minHeight = `${heightPx}px`;
    player.replaceWith(standIn);
  }

  /** What the page knows about an episode; undefined if it is not there. */
  find(id: string): Entry | undefined {
    const button = document.querySelector<HTMLElement>(`[data-queue="${CSS.escape(id)}"]`);
    // The newest one with audio may not be in the list of the page; the player knows its title.
    if (!button && !document.querySelector(`[data-episode="${CSS.escape(id)}"]`)) return undefined;
    const { podcast, show, color } = this.#page;
    return { id, podcast, title: button?.dataset['title'] ?? '', show, color };
  }

  update(current: string | undefined, playing: boolean, queue: Queue): void {
    for (const button of document.querySelectorAll<HTMLElement>('main [data-episode]')) {
      const { episode: id = '' } = button.dataset;
      // A press on it goes to the position in the page's URL first.
      const isLinked = linkedSeconds(this.#page, id) !== undefined;
      const plays = id === current && playing && !isLinked;
      button.toggleAttribute('data-playing', plays);
      const { title = '' } = this.find(id) ?? {};
      if (button.lastChild instanceof Text) {
        button.lastChild.data = this.#say(plays ? 'pause' : 'play');
      } else if (title && button.ariaLabel !== null) {
        // Others are named by what they say.
        set(button, 'aria-label', this.#say(plays ? 'pauseTitle' : 'playTitle', { title }));
      }
    }
    const queued = new Set(queue.entries.map(({ id }) => id));
    for (const button of document.querySelectorAll<HTMLElement>('main [data-queue]')) {
      const isQueued = queued.has(button.dataset['queue'] ?? '');
      setText(button, this.#say(isQueued ? 'queueRemove' : 'queueAdd'));
      button.toggleAttribute('data-queued', isQueued);
    }
  }
}
