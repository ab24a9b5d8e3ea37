import { h, setLabel, setText } from './dom.ts';
import { createIcon, type Icon } from './icons.ts';
import type { Ui } from './ui.ts';

/** A field that marks what it finds in the cues, and goes from one place to the next. */
export class Search {
  readonly root: HTMLElement;
  readonly #ui: Ui;
  readonly #show: (span: HTMLElement) => void;
  readonly #field: HTMLInputElement;
  readonly #count = h('span', { class: 'count', role: 'status' });
  #spans: readonly HTMLElement[] = [];
  #marks: readonly HTMLElement[] = [];
  #at = -1;

  constructor(ui: Ui, show: (span: HTMLElement) => void) {
    this.#ui = ui;
    this.#show = show;
    const label = ui.texts.say('search');
    this.#field = h('input', {
      type: 'search',
      placeholder: label,
      'aria-label': label,
      oninput: () => this.#find(),
      onkeydown: (event) => {
        const { key, shiftKey } = event as KeyboardEvent;
        if (key === 'Enter') this.#go(shiftKey ? -1 : 1);
      },
    });
    const steps = [this.#createStep('up', -1), this.#createStep('down', 1)];
    this.root = h('div', { class: 'search' }, this.#field, this.#count, ...steps);
  }

  /** Searches other cues from now on. */
  begin(spans: readonly HTMLElement[]): void {
    this.#spans = spans;
    this.#marks = [];
    this.#find();
  }

  #createStep(icon: Icon, by: number): HTMLButtonElement {
    const button = h('button', { type: 'button', onclick: () => this.#go(by) }, createIcon(icon));
    setLabel(button, this.#ui.texts.say(by > 0 ? 'next' : 'previous'));
    return button;
  }

  #find(): void {
    const query = this.#field.value.trim().toLowerCase();
    for (const span of new Set(this.#marks.map((mark) => mark.parentElement))) {
      if (span) span.textContent = `${span.textContent}`;
    }
    this.#marks = query ? this.#spans.flatMap((span) => markMatches(span, query)) : [];
    this.#at = -1;
    if (this.#marks.length) this.#go(1);
    else setText(this.#count, query && this.#ui.texts.say('of', { a: 0, b: 0 }));
  }

  #go(by: number): void {
    const { length } = this.#marks;
    if (!length) return;
    this.#marks[this.#at]?.classList.remove('here');
    this.#at = (this.#at + by + length) % length;
    const mark = this.#marks[this.#at];
    mark?.classList.add('here');
    if (mark?.parentElement) this.#show(mark.parentElement);
    setText(this.#count, this.#ui.texts.say('of', { a: this.#at + 1, b: length }));
  }
}

/** Marks every place of the query, which is in lower case; gives the marks. */
function markMatches(span: HTMLElement, query: string): HTMLElement[] {
  const text = span.textContent ?? '';
  const lower = text.toLowerCase();
  // Where a letter's lower case is longer, places are not the same in both: left unmarked.
  if (!lower.includes(query) || lower.length !== text.length) return [];
  const marks: HTMLElement[] = [];
  const pieces: (string | HTMLElement)[] = [];
  let from = 0;
  for (let at = lower.indexOf(query); at >= 0; at = lower.indexOf(query, from)) {
    const mark = h('mark', {}, text.slice(at, at + query.length));
    pieces.push(text.slice(from, at), mark);
    marks.push(mark);
    from = at + query.length;
  }
  span.replaceChildren(...pieces, text.slice(from));
  return marks;
}
