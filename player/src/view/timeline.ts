import { findCurrent } from '../api/chapters.ts';
import { emptyState, type State } from '../state.ts';
import { formatClock, formatSpoken } from '../text/time.ts';
import { h, set, setText } from './dom.ts';
import type { Part, Ui } from './ui.ts';
import { toBars, toPolygon } from './waveform.ts';

const barPx = 4;
const mostBars = 160;
const fewestBars = 24;

/**
 * Position, buffered range and chapters; operated by pointer or keyboard. A native range input
 * under the drawing does the work. It runs from left to right in every language, as tape controls
 * do.
 */
export class Timeline implements Part {
  readonly root: HTMLElement;
  readonly #ui: Ui;
  readonly #slider: HTMLInputElement;
  readonly #line: HTMLElement;
  readonly #track: HTMLElement;
  readonly #ticks = h('div', { class: 'ticks' });
  readonly #bubble = h('div', { class: 'bubble', hidden: true, 'aria-hidden': 'true' });
  readonly #now = h('span');
  readonly #chapter = h('span', { class: 'chapter', dir: 'auto' });
  readonly #left = h('span');
  #state: State = emptyState;
  #widthPx = 0;
  #dragging = false;
  #shown = '';

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#slider = this.#createSlider();
    const loaded = h('div', { class: 'buffered' });
    this.#track = h(
      'div',
      { class: 'track', part: 'track' },
      loaded,
      h('div', { class: 'played' }),
    );
    this.#line = h(
      'div',
      {
        class: 'timeline',
        dir: 'ltr',
        onpointermove: (event) => this.#point(event as PointerEvent),
        onpointerleave: () => set(this.#bubble, 'hidden', true),
      },
      this.#slider,
      this.#track,
      this.#ticks,
      h('div', { class: 'playhead' }),
      h('div', { class: 'ring' }),
      this.#bubble,
    );
    const words = [this.#now, this.#chapter, this.#left];
    // An observer knows the width after each layout; reading it would force one.
    new ResizeObserver(([line]) => {
      this.#widthPx = line?.contentRect.width ?? 0;
      this.#drawPeaks();
    }).observe(this.#line);
    const times = h('div', { class: 'times', dir: 'ltr', part: 'times' }, ...words);
    this.root = h('div', { class: 'progress' }, this.#line, times);
  }

  update(state: State, before: State): void {
    this.#state = state;
    const { durationSeconds, bufferedSeconds, seconds, chapters, peaks } = state;
    this.#slider.max = String(durationSeconds || 1);
    this.#slider.disabled = !durationSeconds;
    if (!this.#dragging) {
      this.#slider.value = String(seconds);
      this.#show(seconds);
    }
    const loaded = durationSeconds && Math.min(1, bufferedSeconds / durationSeconds);
    this.#line.style.setProperty('--buffered', String(loaded));
    if (peaks !== before.peaks) this.#drawPeaks();
    if (chapters !== before.chapters || durationSeconds !== before.durationSeconds) {
      this.#drawTicks();
    }
  }

  #createSlider(): HTMLInputElement {
    const stop = () => {
      this.#dragging = false;
    };
    const slider = h('input', {
      type: 'range',
      class: 'slider',
      min: 0,
      step: 'any',
      'aria-label': this.#ui.texts.say('position'),
      onfocus: () => this.#show(this.#state.seconds),
      oninput: () => {
        this.#dragging = true;
        this.#show(Number(slider.value));
      },
      // `change` does not fire if a drag ends where it began.
      onpointerup: stop,
      onpointercancel: stop,
      onchange: () => {
        stop();
        this.#ui.controls.seek(Number(slider.value));
      },
    });
    return slider;
  }

  #show(seconds: number): void {
    const { texts } = this.#ui;
    const { durationSeconds } = this.#state;
    this.#line.style.setProperty('--played', String(durationSeconds && seconds / durationSeconds));
    setText(this.#chapter, this.#chapterAt(seconds));
    // Intl's first use takes a phone a tenth of a second, so words wait until somebody is here.
    const isUsed = this.#state.playing || this.#slider.matches(':focus');
    const format = isUsed ? formatSpoken : formatClock;
    // The text changes once a second and is expensive to make.
    const words = `${Math.floor(seconds)} ${durationSeconds} ${isUsed}`;
    if (words === this.#shown) return;
    this.#shown = words;
    setText(this.#now, formatClock(seconds));
    const a = format(seconds, texts.locale);
    const b = format(durationSeconds, texts.locale);
    const left = `−${formatClock(Math.round(durationSeconds) - Math.floor(seconds))}`;
    setText(this.#left, durationSeconds ? left : '');
    set(this.#slider, 'aria-valuetext', texts.say('of', { a, b }));
  }

  #chapterAt(seconds: number): string {
    const { chapters } = this.#state;
    return chapters[findCurrent(chapters, seconds)]?.title ?? '';
  }

  #point({ clientX, pointerType }: PointerEvent): void {
    const { durationSeconds } = this.#state;
    const { left, width } = this.#line.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    const title = this.#chapterAt(share * durationSeconds);
    set(this.#bubble, 'hidden', !durationSeconds || pointerType === 'touch');
    setText(this.#bubble, formatClock(share * durationSeconds) + (title && ` · ${title}`));
    this.#line.style.setProperty('--pointed', String(share));
  }

  #drawPeaks(): void {
    const { peaks } = this.#state;
    const fitting = Math.floor(this.#widthPx / barPx);
    const count = Math.min(mostBars, Math.max(fewestBars, fitting));
    this.#track.style.clipPath = peaks.length ? toPolygon(toBars(peaks, count)) : '';
    this.#line.classList.toggle('wave', peaks.length > 0);
  }

  #drawTicks(): void {
    const { chapters, durationSeconds } = this.#state;
    const inside = chapters.filter(
      ({ startSeconds }) => startSeconds > 0 && startSeconds < durationSeconds,
    );
    const ticks = inside.map(({ startSeconds }) => {
      const tick = h('i');
      tick.style.left = `${(100 * startSeconds) / durationSeconds}%`;
      return tick;
    });
    this.#ticks.replaceChildren(...ticks);
  }
}
