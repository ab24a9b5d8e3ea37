import { h, setLabel } from '../view/dom.ts';
import { createIcon, type Icon } from '../view/icons.ts';
import type { Say } from './page-info.ts';
import type { Entry, Queue } from './queue.ts';

interface ListActions {
  playQueued(id: string): void;
  onQueueChange(): void;
}

/** The queue, with buttons that order it: they work by keyboard, by touch and by voice. */
export class QueueList {
  readonly root: HTMLElement;
  readonly #say: Say;
  readonly #queue: Queue;
  readonly #actions: ListActions;
  readonly #announce: (text: string) => void;
  readonly #list = h('ol', { class: 'rows' });
  readonly #empty: HTMLElement;
  readonly #clear: HTMLButtonElement;
  /** The ids shown. */
  #shown = '';

  constructor(say: Say, queue: Queue, actions: ListActions, announce: (text: string) => void) {
    this.#say = say;
    this.#queue = queue;
    this.#actions = actions;
    this.#announce = announce;
    this.#empty = h('p', { class: 'empty', tabindex: -1 }, say('queueEmpty'));
    this.#clear = h('button', { class: 'wide' }, say('queueClear'));
    this.#clear.addEventListener('click', () => {
      queue.clear();
      actions.onQueueChange();
      this.#empty.focus();
      announce(say('queueEmpty'));
    });
    const heading = h('h2', { id: 'queue' }, say('queue'));
    const parts = [heading, this.#list, this.#empty, this.#clear];
    this.root = h('section', { 'aria-labelledby': 'queue' }, ...parts);
  }

  update(): void {
    const { entries } = this.#queue;
    this.#empty.hidden = entries.length > 0;
    this.#clear.hidden = entries.length === 0;
    const ids = entries.map(({ id }) => id).join();
    if (ids === this.#shown) return;
    this.#shown = ids;
    this.#list.replaceChildren(...entries.map((entry, i) => this.#createRow(entry, i)));
    this.#list.firstElementChild
      ?.querySelector<HTMLButtonElement>('.up')
      ?.toggleAttribute('disabled');
    this.#list.lastElementChild
      ?.querySelector<HTMLButtonElement>('.down')
      ?.toggleAttribute('disabled');
  }

  #createRow({ id, title, show }: Entry, at: number): HTMLLIElement {
    const onclick = () => this.#actions.playQueued(id);
    const name = h('span', { class: 'name', dir: 'auto' }, title);
    const of = h('span', { class: 'of', dir: 'auto' }, show);
    return h(
      'li',
      {},
      h('button', { class: 'row', onclick }, h('span', { class: 'names' }, name, of)),
      this.#createButton('up', 'moveUp', title, () => this.#move(id, title, -1)),
      this.#createButton('down', 'moveDown', title, () => this.#move(id, title, 1)),
      this.#createButton('close', 'remove', title, () => this.#remove(id, title, at)),
    );
  }

  #createButton(icon: Icon, word: string, title: string, onclick: () => void): HTMLButtonElement {
    const button = h('button', { class: icon, onclick }, createIcon(icon));
    setLabel(button, this.#say(word, { title }));
    return button;
  }

  #move(id: string, title: string, by: 1 | -1): void {
    const to = this.#queue.move(id, by);
    this.#actions.onQueueChange();
    const [same, other] = by < 0 ? ['.up', '.down'] : ['.down', '.up'];
    const row = this.#list.children[to];
    // The first has nothing above it, so the focus moves to the other button.
    const next = row?.querySelector<HTMLElement>(`${same}:enabled`) ?? row?.querySelector(other);
    (next as HTMLElement | null | undefined)?.focus();
    const count = this.#queue.entries.length;
    this.#announce(this.#say('queueMoved', { title, number: to + 1, count }));
  }

  #remove(id: string, title: string, at: number): void {
    this.#queue.remove(id);
    this.#actions.onQueueChange();
    const row = this.#list.children[Math.min(at, this.#list.children.length - 1)];
    (row?.querySelector<HTMLElement>('.close') ?? this.#empty).focus();
    this.#announce(this.#say('queueRemoved', { title }));
  }
}
