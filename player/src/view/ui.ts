import type { Episode } from '../api/wire.ts';
import type { Panel, State } from '../state.ts';
import type { Texts } from '../text/language.ts';

/** What the listener can do; the one way from the view back to the state. */
export interface Controls {
  toggle(): void;
  /** Seconds from the beginning. */
  seek(seconds: number): void;
  skip(seconds: number): void;
  setRate(rate: number): void;
  /** 0 to 1 */
  setVolume(volume: number): void;
  toggleMute(): void;
  /** Opens a panel, or closes the one that is open. */
  open(panel: Panel | null): void;
  /** Asks once more for what the open panel shows. */
  fillPanel(): void;
  choose(episode: Episode): void;
  loadMore(): Promise<boolean>;
  retry(): void;
}

export interface Ui {
  readonly texts: Texts;
  readonly controls: Controls;
}

/** A piece of the view: a node, and how it follows the state. */
export interface Part {
  readonly root: HTMLElement;
  update(state: State, before: State): void;
}

export const skipBackSeconds = 15;
export const skipForwardSeconds = 30;
