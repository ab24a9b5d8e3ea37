import type { Episode } from '../api/wire.ts';
import type { Panel, State } from '../state.ts';
import { createChaptersPanel } from './chapters-panel.ts';
import { h, set, setLabel, setText } from './dom.ts';
import { createIcon } from './icons.ts';
import { createSharePanel } from './share-panel.ts';
import { TranscriptPanel } from './transcript-panel.ts';
import type { Part, Ui } from './ui.ts';

export const panels: readonly Panel[] = ['chapters', 'transcript', 'share'];

export function hasPanel(episode: Episode | null, panel: Panel): boolean {
  if (panel === 'share') return Boolean(episode?.links.embed);
  return Boolean(panel === 'chapters' ? episode?.chapters_url : episode?.transcript);
}

/** The panel below the player: one of three, with tabs between them. */
export class PanelPart implements Part {
  readonly root: HTMLElement;
  readonly #ui: Ui;
  readonly #contents: Record<Panel, Part>;
  readonly #tabs: readonly HTMLButtonElement[];
  readonly #sheet = h('div', { class: 'sheet', role: 'tabpanel', id: 'sheet' });
  /** Placeholder while the panel is empty. */
  readonly #blank: HTMLElement;
  readonly #words = h('p', { role: 'status' });
  readonly #retry: HTMLButtonElement;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#contents = {
      chapters: createChaptersPanel(ui),
      transcript: new TranscriptPanel(ui),
      share: createSharePanel(ui),
    };
    const onclick = () => ui.controls.fillPanel();
    this.#retry = h('button', { class: 'retry', onclick }, ui.texts.say('retry'));
    this.#blank = h('div', { class: 'blank' }, this.#words, this.#retry);
    this.#tabs = panels.map((panel) => this.#createTab(panel));
    const close = h('button', { onclick: () => ui.controls.open(null) });
    close.append(createIcon('close'));
    setLabel(close, ui.texts.say('close'));
    const onkeydown = (event: Event) => this.#onKey(event as KeyboardEvent);
    const strip = h('div', { class: 'tabs', role: 'tablist', onkeydown }, ...this.#tabs);
    const bar = h('div', { class: 'bar' }, strip, close);
    this.root = h('div', { class: 'panel', part: 'panel' }, bar, this.#sheet);
  }

  update(state: State, before: State): void {
    const { panel, episode } = state;
    if (!panel && before.panel) this.#handBackFocus(before.panel);
    set(this.root, 'hidden', panel === null);
    panels.forEach((kind, i) => {
      const tab = this.#tabs[i] as HTMLButtonElement;
      set(tab, 'aria-selected', String(kind === panel));
      set(tab, 'tabindex', kind === panel ? 0 : -1);
      tab.hidden = !hasPanel(episode, kind);
    });
    if (panel) this.#show(panel, state);
    // Only after the panel is in the document: the transcript scrolls to its place.
    for (const content of Object.values(this.#contents)) content.update(state, before);
  }

  #show(panel: Panel, { chapters, cues, panelFailure }: State): void {
    set(this.#sheet, 'aria-labelledby', `tab-${panel}`);
    const isEmpty = panel === 'chapters' ? !chapters.length : !cues;
    const shown = panel !== 'share' && isEmpty ? this.#blank : this.#contents[panel].root;
    setText(this.#words, this.#ui.texts.say(panelFailure ?? 'loading'));
    this.#retry.hidden = !panelFailure;
    if (this.#sheet.firstElementChild !== shown) this.#sheet.replaceChildren(shown);
  }

  /** Returns the focus to the button that opened the panel. */
  #handBackFocus(panel: Panel): void {
    if (!this.root.contains((this.root.getRootNode() as ShadowRoot).activeElement)) return;
    const buttons = this.root.parentElement?.querySelectorAll<HTMLElement>(`.${panel},.more`) ?? [];
    [...buttons].find((button) => button.offsetParent)?.focus();
  }

  #createTab(panel: Panel): HTMLButtonElement {
    const attributes = {
      role: 'tab',
      id: `tab-${panel}`,
      'aria-controls': 'sheet',
    };
    // A click on the open tab changes nothing.
    const onclick = () => {
      if (tab.ariaSelected !== 'true') this.#ui.controls.open(panel);
    };
    const tab = h('button', { ...attributes, onclick }, this.#ui.texts.say(panel));
    return tab;
  }

  #onKey(event: KeyboardEvent): void {
    const seen = this.#tabs.filter((tab) => !tab.hidden);
    const at = seen.indexOf(event.target as HTMLButtonElement);
    const along = this.#ui.texts.direction === 'rtl' ? -1 : 1;
    const keys = { ArrowRight: at + along, ArrowLeft: at - along, Home: 0, End: -1 };
    const to = keys[event.key as keyof typeof keys];
    if (to === undefined) return;
    event.preventDefault();
    const next = seen.at(to % seen.length);
    next?.click();
    next?.focus();
  }
}
