import type { PlayerFailure } from '../index.d.ts';
import type { Chapter } from './api/chapters.ts';
import type { Cue } from './api/parse-vtt.ts';
import type { Episode, Podcast } from './api/wire.ts';

export type Panel = 'chapters' | 'transcript' | 'share';

/** Everything the view shows. Only `Store.set` changes it. */
export interface State {
  readonly podcast: Podcast | null;
  readonly episode: Episode | null;
  readonly failure: PlayerFailure | null;
  /** The playlist in playing order; null without one. */
  readonly list: readonly Episode[] | null;
  /** Whether the playlist has more pages. */
  readonly hasMore: boolean;
  /** Why the next page of the playlist failed to load. */
  readonly listFailure: PlayerFailure | null;
  readonly playing: boolean;
  /** Playing, but still buffering. */
  readonly waiting: boolean;
  readonly seconds: number;
  readonly durationSeconds: number;
  readonly bufferedSeconds: number;
  readonly rate: number;
  readonly volume: number;
  readonly muted: boolean;
  /** 0 to 255, over the whole duration. */
  readonly peaks: readonly number[];
  readonly chapters: readonly Chapter[];
  /** null until requested. */
  readonly cues: readonly Cue[] | null;
  readonly panel: Panel | null;
  /** Why the open panel is empty. */
  readonly panelFailure: PlayerFailure | null;
}

export const emptyState: State = {
  podcast: null,
  episode: null,
  failure: null,
  list: null,
  hasMore: false,
  listFailure: null,
  playing: false,
  waiting: false,
  seconds: 0,
  durationSeconds: 0,
  bufferedSeconds: 0,
  rate: 1,
  volume: 1,
  muted: false,
  peaks: [],
  chapters: [],
  cues: null,
  panel: null,
  panelFailure: null,
};

type Listener = (state: State, before: State) => void;

/** One-way data flow: every event sets state, and every change of state updates the view. */
export class Store {
  state: State = emptyState;
  readonly #listeners: Listener[] = [];

  set(change: Partial<State>): void {
    const before = this.state;
    this.state = { ...before, ...change };
    for (const listener of this.#listeners) listener(this.state, before);
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }
}
