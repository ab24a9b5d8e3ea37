import { createAccents } from '../color.ts';
import type { Options } from '../options.ts';
import { emptyState, type State } from '../state.ts';
import card from '../styles/card.css';
import controls from '../styles/controls.css';
import layouts from '../styles/layouts.css';
import panel from '../styles/panel.css';
import progress from '../styles/progress.css';
import { h, set } from './dom.ts';
import { createHeader } from './header.ts';
import { onPlayerKey } from './keyboard.ts';
import { createNotice } from './notice.ts';
import { PanelPart } from './panel.ts';
import { createPlaylist } from './playlist.ts';
import { Timeline } from './timeline.ts';
import { createTransport } from './transport.ts';
import type { Part, Ui } from './ui.ts';

let sheet: CSSStyleSheet | undefined;

/** One style sheet for all players of a page. Adopted sheets pass the strictest policy. */
function getSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(card + progress + controls + panel + layouts);
  }
  return sheet;
}

/** Everything visible, in the shadow root. */
export class View {
  readonly #ui: Ui;
  readonly #card: HTMLElement;
  readonly #parts: readonly Part[];
  readonly #playlist: Part;
  /** Created when a panel first opens; most never do. */
  #panels: Part | undefined;

  /** Replaces a view in another language. */
  constructor(host: Element, audio: HTMLAudioElement, ui: Ui, read: () => State) {
    this.#ui = ui;
    const header = createHeader(ui);
    // In tab order: the play button comes first.
    const rows = [createTransport(ui), new Timeline(ui), createNotice(ui)];
    this.#playlist = createPlaylist(ui);
    this.#parts = [header, ...rows, this.#playlist];
    this.#card = h(
      'div',
      {
        class: 'card',
        part: 'card',
        role: 'group',
        tabindex: -1,
        lang: ui.texts.locale,
        dir: ui.texts.direction,
        onkeydown: (event) => onPlayerKey(event as KeyboardEvent, ui.controls, read()),
      },
      h('div', { class: 'main' }, header.art, header.root, ...rows.map((row) => row.root)),
      this.#playlist.root,
    );
    const styles = [getSheet()];
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const held = root.activeElement;
    root.adoptedStyleSheets = styles;
    root.replaceChildren(this.#card, audio);
    if (held) this.focus();
  }

  focus(options?: FocusOptions): void {
    (this.#card.querySelector<HTMLElement>('.play:enabled') ?? this.#card).focus(options);
  }

  update(state: State, before: State): void {
    const { episode, failure } = state;
    const name = this.#ui.texts.say('player');
    const root = this.#card.getRootNode() as ShadowRoot;
    const held = root.activeElement;
    set(this.#card, 'aria-label', episode ? `${name}: ${episode.title}` : name);
    set(this.#card, 'aria-busy', !episode && !failure && 'true');
    this.#card.classList.toggle('bare', !episode);
    this.#card.classList.toggle('failed', failure !== null);
    for (const part of this.#parts) part.update(state, before);
    if (this.#panels) this.#panels.update(state, before);
    else if (state.panel) this.#openPanels(state);
    // The focused control has disappeared, so the focus moves to the play button.
    const moved = root.activeElement;
    if (held && (!moved || (moved === held && held.closest('[hidden],:disabled')))) this.focus();
  }

  #openPanels(state: State): void {
    this.#panels = new PanelPart(this.#ui);
    this.#playlist.root.before(this.#panels.root);
    this.#panels.update(state, emptyState);
  }

  /** Applies the attributes, and the show's settings where there are none. */
  dress({ layout, theme, color, playlistRows }: Options, { podcast }: State): void {
    const { light, dark, isBright } = createAccents(color ?? podcast?.color ?? null);
    // A page that sets its own accent has chosen the background's color for the text on it.
    const isOwn = () => getComputedStyle(this.#card).getPropertyValue('--podstead-accent');
    this.#card.classList.toggle('bright', isBright && !isOwn());
    this.#card.style.setProperty('--light', light);
    this.#card.style.setProperty('--dark', dark);
    this.#card.style.setProperty('--rows', String(playlistRows));
    this.#card.classList.toggle('compact', layout === 'compact');
    set(this.#card, 'data-theme', theme ?? podcast?.player_theme ?? 'auto');
    set(this.#playlist.root, 'hidden', !playlistRows);
  }
}
