import type { PlayerEventName } from '../../index.d.ts';
import type { Episode } from '../api/wire.ts';
import { tryParseUrl } from '../options.ts';
import type { State, Store } from '../state.ts';
import { findPlace, markMediaAddress } from './media-address.ts';
import {
  endSeconds,
  recall,
  recallPosition,
  remember,
  rememberPosition,
} from './stored-playback.ts';

const saveEverySeconds = 5;

const slowestRate = 0.5;
const fastestRate = 3;

/** Only one player on a page plays at a time. */
let sounding: Playback | undefined;

/** Wraps an `<audio>`, which loads nothing before it plays, and copies its state to the store. */
export class Playback {
  readonly audio = document.createElement('audio');
  readonly #store: Store;
  readonly #emit: (event: PlayerEventName) => void;
  #address = '';
  /** The position to seek to once the audio's metadata is loaded. */
  #pendingSeconds: number | undefined;
  #savedSeconds = 0;

  constructor(store: Store, emit: (event: PlayerEventName) => void) {
    this.#store = store;
    this.#emit = emit;
    this.audio.preload = 'none';
    const { rate, volume } = recall();
    this.setRate(Number(rate));
    this.setVolume(Number(volume ?? 1));
    this.#listen();
  }

  /** Prepares an episode at a given position, or where the listener left off. Fetches nothing. */
  load(episode: Episode, service: string, startSeconds?: number): void {
    const { audio, id } = { ...episode };
    const url = audio.url ?? '';
    const serviceOrigins = [service, tryParseUrl(url)?.origin ?? ''];
    const place = findPlace(serviceOrigins, episode.links.listen);
    this.#address = markMediaAddress(url, id, place);
    const durationSeconds = audio.duration_seconds ?? 0;
    const wanted = Math.max(0, startSeconds ?? recallPosition(id)) || 0;
    // The audio may have become shorter since the position was stored or linked.
    const lastSeconds = startSeconds === undefined ? durationSeconds - endSeconds : durationSeconds;
    const seconds = durationSeconds && wanted >= lastSeconds ? 0 : wanted;
    this.#empty();
    this.#pendingSeconds = seconds;
    this.#savedSeconds = seconds;
    this.#store.set({
      seconds,
      durationSeconds,
      bufferedSeconds: 0,
      waiting: false,
    });
  }

  /** `again` reloads the audio. Rejects as the audio element does, and when there is no audio. */
  async play(again = false): Promise<void> {
    if (!this.#address) {
      this.#store.set({ playing: false, waiting: false });
      throw new DOMException('There is no audio.', 'NotSupportedError');
    }
    if (sounding !== this) sounding?.pause();
    sounding = this;
    if (again || !this.audio.src || this.audio.error) {
      this.#pendingSeconds = this.#store.state.seconds;
      this.audio.src = this.#address;
    }
    this.#store.set({ failure: null, playing: true, waiting: true });
    try {
      await this.audio.play();
    } catch (error) {
      // Everything else reports itself: another episode, a pause, an error of the audio.
      if (error instanceof DOMException && error.name === 'NotAllowedError') {
        this.#store.set({ playing: false, waiting: false });
      }
      throw error;
    }
  }

  /** Removes the audio; the player has nothing to play until the next `load`. */
  unload(): void {
    const { playing } = this.#store.state;
    this.pause();
    // The audio's own event would come too late, when the episode is already another.
    if (playing) this.#emit('pause');
    this.save();
    this.#address = '';
    this.#empty();
  }

  #empty(): void {
    if (!this.audio.src) return;
    this.audio.removeAttribute('src');
    this.audio.load();
  }

  pause(): void {
    this.audio.pause();
    this.#store.set({ playing: false, waiting: false });
  }

  seek(seconds: number): void {
    const { durationSeconds } = this.#store.state;
    const target = Math.max(0, Math.min(seconds || 0, durationSeconds || Number.MAX_VALUE));
    if (this.audio.readyState > 0) this.audio.currentTime = target;
    else this.#pendingSeconds = target;
    this.#store.set({ seconds: target });
    this.#emit('seek');
  }

  setRate(wanted: number): void {
    const rate = Math.min(fastestRate, Math.max(slowestRate, wanted || 1));
    // The next episode starts with the default rate.
    this.audio.defaultPlaybackRate = rate;
    this.audio.playbackRate = rate;
    this.#store.set({ rate });
  }

  setVolume(volume: number, muted = false): void {
    this.audio.volume = Math.min(1, Math.max(0, volume || 0));
    this.audio.muted = muted;
    this.#store.set({ volume: this.audio.volume, muted });
  }

  save(): void {
    const { episode, seconds, durationSeconds } = this.#store.state;
    if (!episode || seconds === this.#savedSeconds) return;
    this.#savedSeconds = seconds;
    const heard = durationSeconds > 0 && seconds > durationSeconds - endSeconds;
    rememberPosition(episode.id, heard ? undefined : seconds);
  }

  #listen(): void {
    const { audio } = this;
    const set = this.#store.set.bind(this.#store);
    const on = (names: string, react: () => void) => {
      for (const name of names.split(' ')) audio.addEventListener(name, react);
    };
    on('loadedmetadata', () => {
      if (this.#pendingSeconds) audio.currentTime = this.#pendingSeconds;
      this.#pendingSeconds = undefined;
    });
    on('loadedmetadata durationchange', () => {
      if (Number.isFinite(audio.duration)) set({ durationSeconds: audio.duration });
    });
    on('play', () => this.#emit('play'));
    on('pause', () => this.#onPause());
    on('waiting', () => this.#onWaiting());
    on('playing', () => set({ waiting: false, failure: null }));
    on('timeupdate', () => this.#onTime());
    on('progress timeupdate', () => set({ bufferedSeconds: bufferedEnd(audio) }));
    let rate = audio.playbackRate;
    // Loading the next episode fires this event too.
    on('ratechange', () => {
      if (rate !== audio.playbackRate) this.#emit('ratechange');
      rate = audio.playbackRate;
    });
    on('volumechange', () => {
      remember({ volume: audio.volume });
      this.#emit('volumechange');
    });
    on('ended', () => {
      // The end can come before the last `timeupdate`.
      this.#onTime();
      this.#emit('ended');
    });
    on('error', () => this.#onError());
  }

  #onPause(): void {
    // Removing `src` pauses too; in that case the next source decides whether the player plays.
    if (!this.audio.src || this.audio.error) return;
    // The event is asynchronous: the audio may be playing again.
    if (this.audio.paused) this.#store.set({ playing: false, waiting: false });
    this.save();
    this.#emit('pause');
  }

  #onWaiting(): void {
    this.#store.set({ waiting: true });
    const { seconds, bufferedSeconds } = this.#store.state;
    // After a seek, `waiting` can fire for loaded audio too.
    const isOver = bufferedSeconds < seconds + 1;
    if (isOver && !navigator.onLine) this.#fail({ failure: 'offline' });
  }

  #onTime(): void {
    if (this.#pendingSeconds !== undefined || !this.audio.src) return;
    this.#store.set({ seconds: this.audio.currentTime });
    if (Math.abs(this.audio.currentTime - this.#savedSeconds) >= saveEverySeconds) this.save();
    this.#emit('timeupdate');
  }

  #onError(): void {
    if (!this.audio.src) return;
    // Offline, the player keeps the wish to play and resumes when the connection is back.
    this.#fail(
      navigator.onLine
        ? { waiting: false, playing: false, failure: 'audioFailed' }
        : { waiting: false, failure: 'offline' },
    );
  }

  /** Reports a failure once: without a network the audio first waits and then fails. */
  #fail(change: Partial<State>): void {
    const { failure } = this.#store.state;
    this.#store.set(change);
    if (failure !== change.failure) this.#emit('error');
  }
}

/** End of the loaded range around the current position. */
function bufferedEnd({ buffered, currentTime }: HTMLAudioElement): number {
  for (let i = 0; i < buffered.length; i += 1) {
    if (buffered.start(i) <= currentTime + 1 && buffered.end(i) >= currentTime) {
      return buffered.end(i);
    }
  }
  return 0;
}
