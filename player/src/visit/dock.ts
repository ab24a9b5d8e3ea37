import type { PodsteadPlayerElement } from '../../index.d.ts';
import type { Chapter } from '../api/chapters.ts';
import type { Episode } from '../api/wire.ts';
import { formatAmount } from '../text/amount.ts';
import { formatClock } from '../text/time.ts';
import { h, set, setLabel, setText } from '../view/dom.ts';
import { createIcon } from '../view/icons.ts';
import { offerCasting } from './cast.ts';
import style from './dock.css';
import type { Say } from './page-info.ts';
import type { Entry, Queue } from './queue.ts';
import { QueueList } from './queue-list.ts';
import { type Sleep, sleepMinutes } from './sleep-timer.ts';

/** What listeners do in the dock. */
export interface DockActions {
  /** Plays this episode of the queue. */
  playQueued(id: string): void;
  onQueueChange(): void;
  setSleep(sleep: Sleep): void;
  seek(seconds: number): void;
  close(): void;
}

/** The player at the bottom of the window, and a sheet with everything else about listening. */
export class Dock {
  readonly host = h('aside', { class: 'visit' });
  readonly #say: Say;
  readonly #language: string;
  readonly #actions: DockActions;
  readonly #queue: Queue;
  readonly #list: QueueList;
  readonly #now = h('p', { class: 'now' });
  readonly #clock = h('span', { class: 'clock', dir: 'ltr' });
  readonly #title = h('span', { class: 'name', dir: 'auto' });
  readonly #show = h('span', { class: 'of', dir: 'auto' });
  readonly #episode: HTMLAnchorElement;
  readonly #transcript: HTMLAnchorElement;
  readonly #slot = h('div', { class: 'slot' });
  readonly #status = h('p', { class: 'unseen', role: 'status' });
  readonly #opener: HTMLButtonElement;
  readonly #sheet: HTMLElement;
  readonly #chapters = h('ol', { class: 'rows' });
  readonly #chapterPart: HTMLElement;
  readonly #sleep: HTMLSelectElement;
  readonly #continues = h('input', { type: 'checkbox', id: 'continues' });
  readonly #watchCast: () => void;
  #chapterShown = -1;
  #player: PodsteadPlayerElement | undefined;

  constructor(say: Say, language: string, queue: Queue, actions: DockActions) {
    this.#say = say;
    this.#language = language;
    this.#queue = queue;
    this.#actions = actions;
    this.#list = new QueueList(say, queue, actions, (text) => this.announce(text));
    this.host.lang = document.documentElement.lang;
    this.host.dir = document.documentElement.dir;
    set(this.host, 'aria-label', say('player'));
    this.#opener = h(
      'button',
      { class: 'opener', 'aria-expanded': 'false' },
      createIcon('chapters'),
    );
    setLabel(this.#opener, say('queueAndMore'));
    this.#opener.addEventListener('click', () => this.#open(this.#sheet.hidden === true));
    this.#sleep = this.#createSleep();
    const cast = h('button', { class: 'wide' }, say('cast'));
    this.#watchCast = offerCasting(
      cast,
      () => this.#player?.shadowRoot?.querySelector('audio') ?? null,
    );
    const onclick = () => this.#open(false);
    this.#episode = h('a', { class: 'row', onclick }, h('span', {}, this.#title, this.#show));
    this.#transcript = h('a', { class: 'wide', onclick }, say('transcript'));
    const chapters = h('h2', {}, say('chapters'));
    this.#chapterPart = h('div', {}, chapters, this.#chapters);
    this.#sheet = this.#createSheet(cast);
    this.#build();
  }

  /** The element plays on, because it stays in the document. */
  adopt(player: PodsteadPlayerElement): void {
    player.setAttribute('layout', 'compact');
    player.setAttribute('fill', '');
    this.#player = player;
    this.#slot.replaceChildren(player);
    this.#watchCast();
  }

  announce(text: string): void {
    this.#status.className = 'unseen';
    setText(this.#status, '');
    setText(this.#status, text);
  }

  /** Is seen until something else is announced. */
  warn(text: string): void {
    this.announce(text);
    this.#status.className = 'warning';
  }

  showLoading(isLoading: boolean): void {
    this.host.toggleAttribute('data-loading', isLoading);
  }

  /** `entry`: what plays. */
  update(entry: Entry | undefined): void {
    const { entries, continues } = this.#queue;
    const episode = this.#player?.current as Episode | null | undefined;
    const { listen } = episode?.links ?? {};
    setText(this.#title, episode?.title ?? entry?.title ?? '');
    setText(this.#show, entry?.show ?? '');
    this.#episode.hidden = !listen;
    this.#transcript.hidden = !listen || !episode?.transcript;
    set(this.#episode, 'href', listen ?? null);
    set(this.#transcript, 'href', `${listen}#transcript`);
    // As a style's content, because the button has a name already.
    set(this.#opener, 'data-count', entries.length > 0 && String(entries.length));
    this.#continues.checked = continues;
    this.#list.update();
    this.#watchCast();
  }

  showSleep(sleep: Sleep): void {
    this.#sleep.value = String(sleep ?? '');
    this.#opener.toggleAttribute('data-sleeps', sleep !== undefined);
  }

  showChapters(chapters: readonly Chapter[]): void {
    this.#chapterShown = -1;
    this.#chapterPart.hidden = chapters.length === 0;
    this.#chapters.replaceChildren(
      ...chapters.map(({ startSeconds, title }) => {
        const onclick = () => this.#actions.seek(startSeconds);
        const time = h('span', { class: 'time' }, formatClock(startSeconds));
        const name = h('span', { class: 'name', dir: 'auto' }, title);
        return h('li', {}, h('button', { class: 'row', onclick }, time, name));
      }),
    );
  }

  /** The chapter and the line of the transcript that are heard now. */
  showNow(chapters: readonly Chapter[], chapter: number, line: string, language: string): void {
    const { current, currentTime = 0, duration = 0 } = this.#player ?? {};
    const { title = '' } = chapters[chapter] ?? {};
    const isEmpty = title === '' && line === '';
    this.#now.classList.toggle('bare', isEmpty);
    setText(this.#clock, duration ? `${formatClock(currentTime)} / ${formatClock(duration)}` : '');
    const [name, said] = this.#now.children as unknown as [HTMLElement, HTMLElement];
    setText(name, isEmpty ? (current?.title ?? '') : title);
    setText(said, line);
    set(said, 'lang', language || null);
    if (chapter === this.#chapterShown) return;
    this.#chapterShown = chapter;
    [...this.#chapters.children].forEach((item, i) => {
      set(item.firstElementChild as Element, 'aria-current', i === chapter && 'true');
    });
  }

  #build(): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    const root = this.host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    const name = h('span', { class: 'chapter', dir: 'auto' });
    this.#now.append(name, h('span', { class: 'said', dir: 'auto' }), this.#clock);
    root.append(this.#status, this.#now, this.#slot, this.#opener, this.#sheet);
    this.host.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !this.#sheet.hidden) this.#open(false);
    });
    document.addEventListener('pointerdown', (event) => {
      const isInside = event.composedPath().includes(this.host);
      if (!isInside && !this.#sheet.hidden) this.#open(false);
    });
    this.showChapters([]);
    this.showSleep(undefined);
  }

  #createSheet(cast: HTMLElement): HTMLElement {
    const say = this.#say;
    this.#continues.addEventListener('change', () => {
      this.#queue.continues = this.#continues.checked;
    });
    const label = h('label', { class: 'setting' }, this.#continues, say('autoplay'));
    const sleep = h('label', { class: 'setting' }, say('sleepTimer'), this.#sleep);
    const close = h('button', { class: 'wide', onclick: () => this.#actions.close() });
    close.append(createIcon('close'), say('closePlayer'));
    const settings = h('section', { class: 'settings' }, label, sleep, cast, close);
    const sheet = h('div', { class: 'sheet', role: 'group' }, this.#episode, this.#transcript);
    sheet.append(this.#list.root, this.#chapterPart, settings);
    setLabel(sheet, say('queueAndMore'));
    sheet.removeAttribute('title');
    sheet.lang = this.#language;
    sheet.hidden = true;
    return sheet;
  }

  #createSleep(): HTMLSelectElement {
    const option = (value: string | number, text: string) => h('option', { value }, text);
    const text = (n: number) => formatAmount(n, 'minute', this.#language);
    const minutes = sleepMinutes.map((n) => option(n, text(n)));
    const off = option('', this.#say('sleepOff'));
    const select = h('select', {}, off, ...minutes, option('end', this.#say('sleepEnd')));
    select.addEventListener('change', () => {
      const { value } = select;
      this.#actions.setSleep(value === 'end' ? 'end' : Number(value) || undefined);
    });
    return select;
  }

  #open(isOpen: boolean): void {
    const held = this.#sheet.contains((this.host.shadowRoot as ShadowRoot).activeElement);
    this.#sheet.hidden = !isOpen;
    set(this.#opener, 'aria-expanded', String(isOpen));
    if (!isOpen && held) this.#opener.focus();
  }
}
