import type { PlayerEventName } from '../../index.d.ts';
import type { Episode } from '../api/wire.ts';
import { tryParseUrl } from '../options.ts';
import type { State, Store } from '../state.ts';
import { findPlace, markMediaAddress } from './media-address.ts';
import { recall, recallPosition, remember, rememberPosition } from './memory.ts';

/** Heard to within so many seconds of the end is heard to the end. */
const endSeconds = 15;
const saveEverySeconds = 5;

const slowestRate = 0.5;
const fastestRate = 3;

/** One voice at a time on a page. */
let sounding: Playback | undefined;

/** The sound: an `<audio>` that asks for nothing before it is played, and what it says as state. */
export class Playback {
  readonly audio = document.createElement('audio');
  readonly #store: Store;
  readonly #say: (event: PlayerEventName) => void;
  #address = '';
  /** Where to go as soon as the audio is known. */
  #pendingSeconds: number | undefined;
  #savedSeconds = 0;

  constructor(store: Store, say: (event: PlayerEventName) => void) {
    this.#store = store;
    this.#say = say;
    this.audio.preload = 'none';
    const { rate, volume } = recall();
    this.setRate(Number(rate));
    this.setVolume(Number(volume ?? 1));
    this.#listen();
  }

  /** Makes an episode ready from a place, or from where it was left; nothing is fetched. */
  load(episode: Episode, service: string, startSeconds?: number): void {
    const { audio, id } = { ...episode };
    const url = audio.url ?? '';
    const ownOrigins = [service, tryParseUrl(url)?.origin ?? ''];
    this.#address = markMediaAddress(url, id, findPlace(ownOrigins));
    const durationSeconds = audio.duration_seconds ?? 0;
    const wanted = Math.max(0, startSeconds ?? recallPosition(id)) || 0;
    // Audio may have become shorter since the place was remembered, or the link made.
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

  /** `again` asks for the audio anew. Rejects as the audio's own does, and where there is none. */
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
      // Whatever else came between says so itself: another episode, a pause, an error of the audio.
      if (error instanceof DOMException && error.name === 'NotAllowedError') {
        this.#store.set({ playing: false, waiting: false });
      }
      throw error;
    }
  }

  /** Nothing to play, until there is again. */
  unload(): void {
    const { playing } = this.#store.state;
    this.pause();
    // The audio's own word would come when nobody knows any more what it was about.
    if (playing) this.#say('pause');
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
    this.#say('seek');
  }

  setRate(wanted: number): void {
    const rate = Math.min(fastestRate, Math.max(slowestRate, wanted || 1));
    // The default is what the next episode begins with.
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
    on('play', () => this.#say('play'));
    on('pause', () => this.#onPause());
    on('waiting', () => this.#onWaiting());
    on('playing', () => set({ waiting: false, failure: null }));
    on('timeupdate', () => this.#onTime());
    on('progress timeupdate', () => set({ bufferedSeconds: bufferedEnd(audio) }));
    let rate = audio.playbackRate;
    // The rate of the next episode is told by the same event.
    on('ratechange', () => {
      if (rate !== audio.playbackRate) this.#say('ratechange');
      rate = audio.playbackRate;
    });
    on('volumechange', () => {
      remember({ volume: audio.volume });
      this.#say('volumechange');
    });
    on('ended', () => {
      // The end may come before the clock has told of it.
      this.#onTime();
      this.#say('ended');
    });
    on('error', () => this.#onError());
  }

  #onPause(): void {
    // An empty address pauses too; what comes next decides whether the player plays.
    if (!this.audio.src || this.audio.error) return;
    // Told late: it may have been played again since.
    if (this.audio.paused) this.#store.set({ playing: false, waiting: false });
    this.save();
    this.#say('pause');
  }

  #onWaiting(): void {
    this.#store.set({ waiting: true });
    const { seconds, bufferedSeconds } = this.#store.state;
    // After a seek it waits a little for what is loaded as well.
    const isOver = bufferedSeconds < seconds + 1;
    if (isOver && !navigator.onLine) this.#fail({ failure: 'offline' });
  }

  #onTime(): void {
    if (this.#pendingSeconds !== undefined || !this.audio.src) return;
    this.#store.set({ seconds: this.audio.currentTime });
    if (Math.abs(this.audio.currentTime - this.#savedSeconds) >= saveEverySeconds) this.save();
    this.#say('timeupdate');
  }

  #onError(): void {
    if (!this.audio.src) return;
    // Offline the listener's wish stays, and is fulfilled once the connection is back.
    this.#fail(
      navigator.onLine
        ? { waiting: false, playing: false, failure: 'audioFailed' }
        : { waiting: false, failure: 'offline' },
    );
  }

  /** Said once: without a network it waits first, and then fails. */
  #fail(change: Partial<State>): void {
    const { failure } = this.#store.state;
    this.#store.set(change);
    if (failure !== change.failure) this.#say('error');
  }
}

/** End of what is loaded without a gap from here. */
function bufferedEnd({ buffered, currentTime }: HTMLAudioElement): number {
  for (let i = 0; i < buffered.length; i += 1) {
    if (buffered.start(i) <= currentTime + 1 && buffered.end(i) >= currentTime) {
      return buffered.end(i);
    }
  }
  return 0;
}
