import { createAccents } from '../colour.ts';
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

/** One for all players of a page; adopted, which the strictest policy allows. */
function getSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(card + progress + controls + panel + layouts);
  }
  return sheet;
}

/** Everything that is seen, in the shadow root. */
export class View {
  readonly #root: ShadowRoot;
  readonly #ui: Ui;
  readonly #card: HTMLElement;
  readonly #parts: readonly Part[];
  readonly #playlist: Part;
  /** Made when the first panel is opened: most are never. */
  #panels: Part | undefined;

  constructor(root: ShadowRoot, audio: HTMLAudioElement, ui: Ui, read: () => State) {
    this.#root = root;
    this.#ui = ui;
    const header = createHeader(ui);
    const rows = [new Timeline(ui), createNotice(ui), createTransport(ui)];
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
    root.adoptedStyleSheets = [getSheet()];
    root.replaceChildren(this.#card, audio);
  }

  update(state: State, before: State): void {
    const { episode, failure } = state;
    const name = this.#ui.texts.say('player');
    const held = this.#root.activeElement;
    set(this.#card, 'aria-label', episode ? `${name}: ${episode.title}` : name);
    set(this.#card, 'aria-busy', !episode && !failure && 'true');
    this.#card.classList.toggle('bare', !episode);
    this.#card.classList.toggle('failed', failure !== null);
    for (const part of this.#parts) part.update(state, before);
    if (this.#panels) this.#panels.update(state, before);
    else if (state.panel) this.#openPanels(state);
    // What had the focus is gone: it goes on with what the player is for.
    const moved = this.#root.activeElement;
    if (held && (!moved || (moved === held && held.closest('[hidden],:disabled')))) {
      (this.#card.querySelector<HTMLElement>('.play:enabled') ?? this.#card).focus();
    }
  }

  #openPanels(state: State): void {
    this.#panels = new PanelPart(this.#ui);
    this.#playlist.root.before(this.#panels.root);
    this.#panels.update(state, emptyState);
  }

  /** What of the look comes from attributes, and where they are silent from the show. */
  dress({ layout, theme, color, playlistRows }: Options, { podcast }: State): void {
    const { light, dark } = createAccents(
      color ?? podcast?.player_color ?? podcast?.brand_color ?? null,
    );
    this.#card.style.setProperty('--light', light);
    this.#card.style.setProperty('--dark', dark);
    this.#card.style.setProperty('--rows', String(playlistRows));
    this.#card.classList.toggle('compact', layout === 'compact');
    set(this.#card, 'data-theme', theme ?? podcast?.player_theme ?? 'auto');
    set(this.#playlist.root, 'hidden', !playlistRows);
  }
}
