import { findCurrent } from '../api/chapters.ts';
import type { Cue } from '../api/parse-vtt.ts';
import type { State } from '../state.ts';
import { h, set } from './dom.ts';
import { Search } from './search.ts';
import type { Part, Ui } from './ui.ts';

/** A speaker gets a new paragraph after this many characters. */
const paragraphLetters = 400;

/** About a line. A smooth scroll that reverses moves on a little first. */
const slackPx = 24;

/** The transcript as paragraphs. Each cue seeks to its time; the current one is marked. */
export class TranscriptPanel implements Part {
  readonly root: HTMLElement;
  readonly #ui: Ui;
  readonly #search: Search;
  readonly #words: HTMLElement;
  readonly #again: HTMLButtonElement;
  #cues: readonly Cue[] = [];
  #spans: readonly HTMLElement[] = [];
  #hasTimes = false;
  #current = -1;
  #following = true;
  /** The one cue in the tab order. */
  #stop: HTMLElement | undefined;
  /** How close our scrolling has come to its target. */
  #nearestPx = 0;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#search = new Search(ui, (span) => {
      this.#follow(false);
      this.#scrollTo(span);
    });
    this.#words = h('div', {
      class: 'words',
      dir: 'auto',
      onclick: (event) => this.#choose(event.target as Element),
      onkeydown: (event) => this.#onKey(event as KeyboardEvent),
      onscroll: () => this.#onScroll(),
    });
    const onclick = () => {
      this.#follow(true);
      this.#mark(this.#current);
      // The button disappears, so the focus moves to the cue in the tab order.
      this.#stop?.focus({ preventScroll: true });
    };
    this.#again = h('button', { class: 'follow', onclick }, ui.texts.say('follow'));
    this.root = h(
      'div',
      { class: 'transcript-panel' },
      this.#search.root,
      this.#words,
      this.#again,
    );
  }

  update(state: State, before: State): void {
    if (state.cues !== before.cues) {
      set(this.#words, 'lang', state.episode?.transcript?.language);
      this.#draw(state.cues ?? []);
    }
    if (state.panel !== 'transcript') return;
    const index = findCurrent(this.#cues, state.seconds);
    if (index !== this.#current || before.panel !== state.panel) this.#mark(index);
  }

  #draw(cues: readonly Cue[]): void {
    this.#cues = cues;
    this.#hasTimes = cues.some(({ startSeconds }) => startSeconds < Infinity);
    const button = this.#hasTimes ? { role: 'button', tabindex: -1 } : {};
    const spans = cues.map(({ text }) => h('span', button, text));
    this.#spans = spans;
    this.#words.replaceChildren(...toParagraphs(cues, spans));
    this.#current = -1;
    this.#follow(true);
    this.#stopAt(0);
    this.#search.begin(spans);
  }

  #follow(on: boolean): void {
    this.#following = on;
    this.#again.hidden = on;
  }

  #mark(index: number): void {
    set(this.#spans[this.#current] ?? this.#words, 'aria-current', null);
    this.#current = index;
    const span = this.#spans[index];
    if (!span) return;
    set(span, 'aria-current', 'true');
    if (!this.#following) return;
    this.#stopAt(index);
    this.#scrollTo(span);
  }

  #scrollTo(span: HTMLElement): void {
    const top = this.#topFor(span);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#nearestPx = Math.abs(this.#words.scrollTop - top);
    this.#words.scrollTo({ top, behavior: still ? 'auto' : 'smooth' });
  }

  /** Our own scrolling only gets closer to the current cue; anything else is the reader's. */
  #onScroll(): void {
    if (!this.#hasTimes) return;
    const awayPx = Math.abs(this.#words.scrollTop - this.#topFor(this.#spans[this.#current]));
    if (awayPx > this.#nearestPx + slackPx) this.#follow(false);
    this.#nearestPx = Math.min(this.#nearestPx, awayPx);
  }

  /** The scroll position that centers the cue, as far as possible. */
  #topFor(span = this.#words): number {
    const { clientHeight, scrollHeight } = this.#words;
    const top = span.offsetTop + (span.offsetHeight - clientHeight) / 2;
    return Math.max(0, Math.min(top, scrollHeight - clientHeight));
  }

  #choose(target: Element): void {
    const cue = this.#cues[this.#spans.indexOf(target.closest('span') as HTMLElement)];
    if (!cue || !this.#hasTimes) return;
    this.#follow(true);
    this.#ui.controls.seek(cue.startSeconds);
  }

  /** One tab stop; the arrow keys move between cues. */
  #onKey(event: KeyboardEvent): void {
    const index = this.#spans.indexOf(event.target as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isPress = event.key === 'Enter' || event.key === ' ';
    if (index < 0 || (!step && !isPress)) return;
    event.preventDefault();
    if (isPress) this.#choose(event.target as Element);
    if (!step) return;
    this.#follow(false);
    this.#stopAt(index + step);
    this.#spans[index + step]?.focus();
  }

  #stopAt(index: number): void {
    const stop = this.#spans[index];
    if (!stop || !this.#hasTimes) return;
    set(this.#stop ?? stop, 'tabindex', -1);
    set(stop, 'tabindex', 0);
    this.#stop = stop;
  }
}

function toParagraphs(cues: readonly Cue[], spans: readonly HTMLElement[]): HTMLElement[] {
  const paragraphs: HTMLElement[] = [];
  let speaker: string | undefined;
  let letters = 0;
  cues.forEach((cue, i) => {
    if (cue.speaker !== speaker || letters > paragraphLetters) {
      paragraphs.push(h('p'));
      if (cue.speaker && cue.speaker !== speaker) {
        paragraphs.at(-1)?.append(h('b', {}, cue.speaker));
      }
      speaker = cue.speaker;
      letters = 0;
    }
    letters += cue.text.length;
    paragraphs.at(-1)?.append(spans[i] ?? '', ' ');
  });
  return paragraphs;
}
