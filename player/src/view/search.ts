import { h, setLabel, setText } from './dom.ts';
import { createIcon, type Icon } from './icons.ts';
import type { Ui } from './ui.ts';

/** Debounce: marking a long transcript takes a while. */
const calmMs = 150;

/** A search field that marks matches in the cues and steps through them. */
export class Search {
  readonly root: HTMLElement;
  readonly #ui: Ui;
  readonly #show: (span: HTMLElement) => void;
  readonly #field: HTMLInputElement;
  readonly #count = h('span', { class: 'count', role: 'status' });
  #spans: readonly HTMLElement[] = [];
  /** The marks of each match; a match that spans cues has several. */
  #matches: readonly (readonly HTMLElement[])[] = [];
  #at = -1;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(ui: Ui, show: (span: HTMLElement) => void) {
    this.#ui = ui;
    this.#show = show;
    const label = ui.texts.say('search');
    this.#field = h('input', {
      type: 'search',
      placeholder: label,
      'aria-label': label,
      oninput: () => {
        clearTimeout(this.#typing);
        this.#typing = setTimeout(() => this.#find(), calmMs);
      },
      onkeydown: (event) => {
        const { key, shiftKey } = event as KeyboardEvent;
        if (key === 'Enter') this.#go(shiftKey ? -1 : 1);
      },
    });
    const steps = [this.#createStep('up', -1), this.#createStep('down', 1)];
    this.root = h('div', { class: 'search' }, this.#field, this.#count, ...steps);
  }

  /** Starts over with other cues. */
  begin(spans: readonly HTMLElement[]): void {
    this.#spans = spans;
    this.#matches = [];
    this.#find();
  }

  #createStep(icon: Icon, by: number): HTMLButtonElement {
    const button = h('button', { onclick: () => this.#go(by) }, createIcon(icon));
    setLabel(button, this.#ui.texts.say(by > 0 ? 'next' : 'previous'));
    return button;
  }

  #find(): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    const words = this.#field.value.trim().toLowerCase().replace(/\s+/g, ' ');
    // A single Latin letter matches nearly every cue; in other scripts it can be a word.
    const query = /[^a-z]|../.test(words) ? words : '';
    for (const mark of this.#matches.flat()) {
      const span = mark.parentElement;
      span?.replaceChildren(`${span.textContent}`);
    }
    this.#matches = query ? markMatches(this.#spans, query) : [];
    this.#at = -1;
    if (this.#matches.length) this.#go(1);
    else setText(this.#count, query && this.#ui.texts.say('of', { a: 0, b: 0 }));
  }

  #go(by: number): void {
    // Searches for the current text first, if the debounce is still running.
    if (this.#typing) {
      this.#find();
      return;
    }
    const { length } = this.#matches;
    if (!length) return;
    this.#point(false);
    this.#at = (this.#at + by + length) % length;
    this.#point(true);
    setText(this.#count, this.#ui.texts.say('of', { a: this.#at + 1, b: length }));
  }

  #point(here: boolean): void {
    const marks = this.#matches[this.#at] ?? [];
    for (const mark of marks) mark.classList.toggle('here', here);
    const span = marks[0]?.parentElement;
    if (here && span) this.#show(span);
  }
}

/**
 * Marks every match of the lower-case query, including those that span cues. Returns the marks of
 * each match.
 */
function markMatches(spans: readonly HTMLElement[], query: string): HTMLElement[][] {
  const starts: number[] = [];
  let words = '';
  for (const { textContent } of spans) {
    starts.push(words.length);
    words += `${toLowerCase(`${textContent}`)} `;
  }
  const places: number[] = [];
  for (let at = words.indexOf(query); at >= 0; at = words.indexOf(query, at + query.length)) {
    places.unshift(at);
  }
  // Backwards, so that the text before a mark stays one text node, the first of its span.
  let i = spans.length - 1;
  const matches = places.map((at) => {
    const end = at + query.length;
    const marks: HTMLElement[] = [];
    for (; i >= 0; i -= 1) {
      const start = starts[i] ?? 0;
      const text = spans[i]?.firstChild;
      if (start < end && text)
        marks.unshift(mark(text as Text, Math.max(0, at - start), end - start));
      if (start <= at) break;
    }
    return marks;
  });
  return matches.reverse();
}

function mark(text: Text, from: number, to: number): HTMLElement {
  const range = document.createRange();
  const marked = h('mark');
  range.setStart(text, from);
  range.setEnd(text, Math.min(to, text.length));
  range.surroundContents(marked);
  return marked;
}

/** Keeps the text if lower case changes its length, because positions must match. */
function toLowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}
