import type { PlayerFailure } from '../index.d.ts';
import type { Chapter } from './api/chapters.ts';
import type { Cue } from './api/parse-vtt.ts';
import type { Episode, Podcast } from './api/wire.ts';

export type Panel = 'chapters' | 'transcript' | 'share';

/** All that is shown. Parts of the view read it; only `Store.set` changes it. */
export interface State {
  readonly podcast: Podcast | null;
  readonly episode: Episode | null;
  readonly failure: PlayerFailure | null;
  /** Of a playlist, in the order in which they are played; null where there is none. */
  readonly list: readonly Episode[] | null;
  /** Whether the playlist has more to ask for. */
  readonly hasMore: boolean;
  /** Why the rest of the playlist did not come. */
  readonly listFailure: PlayerFailure | null;
  readonly playing: boolean;
  /** Playing, but nothing is heard yet. */
  readonly waiting: boolean;
  readonly seconds: number;
  readonly durationSeconds: number;
  readonly bufferedSeconds: number;
  readonly rate: number;
  readonly volume: number;
  readonly muted: boolean;
  /** 0 to 255, over the whole length. */
  readonly peaks: readonly number[];
  readonly chapters: readonly Chapter[];
  /** null until it is asked for. */
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

/** Data flows one way: whatever happens sets state, and every change of state draws the view. */
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
