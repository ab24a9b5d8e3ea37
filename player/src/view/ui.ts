import type { Episode } from '../api/wire.ts';
import type { Panel, State } from '../state.ts';
import type { Texts } from '../text/language.ts';

/** The listener's actions: the only way from the view back to the state. */
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
  /** Reloads the content of the open panel. */
  fillPanel(): void;
  choose(episode: Episode): void;
  loadMore(): Promise<boolean>;
  retry(): void;
}

export interface Ui {
  readonly texts: Texts;
  readonly controls: Controls;
}

/** A part of the view: a node that follows the state. */
export interface Part {
  readonly root: HTMLElement;
  update(state: State, before: State): void;
}

export const skipBackSeconds = 15;
export const skipForwardSeconds = 30;
