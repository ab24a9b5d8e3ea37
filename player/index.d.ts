/** The public types of the player. Everything else is internal. */

/** An episode as returned by `GET /v1/episodes/{id}`: the fields the player uses. */
export interface PlayerEpisode {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly links: { readonly listen: string; readonly embed: string };
}

/** Why nothing plays. Retrying does not help with `noAudio` and `notFound`. */
export type PlayerFailure =
  | 'offline'
  | 'notFound'
  | 'unavailable'
  | 'busy'
  | 'failed'
  | 'noAudio'
  | 'audioFailed';

/** The `detail` of every event. */
export interface PlayerDetail {
  /** Seconds. */
  readonly currentTime: number;
  /** Seconds; 0 until the duration is known. */
  readonly duration: number;
  readonly episode: PlayerEpisode | null;
  readonly failure: PlayerFailure | null;
}

export type PlayerEventName =
  /** The episode is loaded, its audio is not. */
  | 'ready'
  /** The player shows another episode: a chosen one, or the next in the playlist. */
  | 'episodechange'
  | 'play'
  | 'pause'
  | 'seek'
  | 'timeupdate'
  | 'ended'
  | 'ratechange'
  | 'volumechange'
  | 'error';

type PlayerEventMap = { [Name in PlayerEventName]: CustomEvent<PlayerDetail> };

export interface PodsteadPlayerElement extends HTMLElement {
  /** The episode shown; null until it is loaded. */
  readonly current: PlayerEpisode | null;
  /** Seconds from the beginning. May be set before playback starts. */
  currentTime: number;
  readonly duration: number;
  readonly paused: boolean;
  /** 0.5 to 3; remembered for the listener. */
  playbackRate: number;
  /** 0 to 1; remembered for the listener. */
  volume: number;
  /**
   * Rejects as `HTMLMediaElement.play()` does: NotAllowedError when the browser requires a user
   * gesture, NotSupportedError when there is no audio.
   */
  play(): Promise<void>;
  pause(): void;
  /** Focuses the play button. */
  focus(options?: FocusOptions): void;
  seek(seconds: number): void;
  /** Moves in the playlist. Resolves to whether there was such an episode. */
  next(): Promise<boolean>;
  previous(): Promise<boolean>;

  addEventListener<Name extends keyof PlayerEventMap>(
    name: Name,
    listener: (this: PodsteadPlayerElement, event: PlayerEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** Importing the module defines `<podstead-player>`. */
export declare const PodsteadPlayer: {
  new (): PodsteadPlayerElement;
  /** Origin of the service, for players without `src`. */
  service: string;
};

declare global {
  interface HTMLElementTagNameMap {
    'podstead-player': PodsteadPlayerElement;
  }
}
