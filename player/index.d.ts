/** What pages that script the player may rely on. The rest is inside. */

/** An episode as `GET /v1/episodes/{id}` gives it; these of its fields are used here. */
export interface PlayerEpisode {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly links: { readonly listen: string; readonly embed: string };
}

/** Why nothing is heard. `noAudio` and `notFound` are not mended by trying again. */
export type PlayerFailure =
  | 'offline'
  | 'notFound'
  | 'unavailable'
  | 'busy'
  | 'failed'
  | 'noAudio'
  | 'audioFailed';

/** Goes with every event. */
export interface PlayerDetail {
  /** Seconds. */
  readonly currentTime: number;
  /** Seconds; 0 until it is known. */
  readonly duration: number;
  readonly episode: PlayerEpisode | null;
  readonly failure: PlayerFailure | null;
}

export type PlayerEventName =
  /** The episode is there, but nothing of its audio. */
  | 'ready'
  /** Another episode: chosen, or next in the playlist. */
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
  /** The episode that is shown; null until it is there. */
  readonly current: PlayerEpisode | null;
  /** Seconds from the beginning; may be set before it plays. */
  currentTime: number;
  readonly duration: number;
  readonly paused: boolean;
  /** 0.5 to 3; remembered for the listener. */
  playbackRate: number;
  /** 0 to 1; remembered for the listener. */
  volume: number;
  /**
   * Rejects as the browser's own: NotAllowedError where it wants the listener to press play,
   * NotSupportedError where there is nothing to be played.
   */
  play(): Promise<void>;
  pause(): void;
  seek(seconds: number): void;
  /** In a playlist; tells whether there was one. */
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
