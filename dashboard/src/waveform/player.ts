export interface PlayerState {
  readonly isPlaying: boolean;
  readonly seconds: number;
  /** The length from the file, when the browser knows it; before that, the server's value. */
  readonly duration: number;
  readonly hasFailed: boolean;
  readonly rate: number;
}

let current: Player | undefined;

/** The playback that the parts of a screen share: the waveform, the chapters and the transcript. */
export class Player {
  readonly #audio: HTMLAudioElement;
  readonly #listeners = new Set<() => void>();
  #state: PlayerState;
  #frame = 0;

  constructor(url: string, duration: number) {
    this.#state = { isPlaying: false, seconds: 0, duration, hasFailed: false, rate: 1 };
    this.#audio = new Audio();
    this.#audio.preload = 'none';
    this.#audio.src = url;
    for (const event of ['play', 'pause', 'ended', 'seeked', 'ratechange', 'error'] as const) {
      this.#audio.addEventListener(event, this.#read);
    }
    this.#audio.addEventListener('durationchange', this.#readDuration);
  }

  get state(): PlayerState {
    return this.#state;
  }

  /** As `useSyncExternalStore` wants it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  toggle(): void {
    if (this.#audio.paused) this.play();
    else this.#audio.pause();
  }

  play(fromSeconds?: number): void {
    if (fromSeconds !== undefined) this.seek(fromSeconds);
    // Only one player plays at a time.
    if (current !== this) current?.pause();
    current = this;
    // Refused where the file cannot be played: the error event says so.
    this.#audio.play().catch(() => undefined);
  }

  pause(): void {
    this.#audio.pause();
  }

  seek(seconds: number): void {
    const inside = Math.max(0, Math.min(this.#state.duration, seconds));
    this.#audio.currentTime = inside;
    this.#change({ seconds: inside });
  }

  seekBy(seconds: number): void {
    this.seek(this.#state.seconds + seconds);
  }

  setRate(rate: number): void {
    this.#audio.playbackRate = rate;
  }

  /** Shows the browser's own controls in this element; the result removes them. */
  showIn(place: HTMLElement | null, label: string): () => void {
    this.#audio.controls = true;
    this.#audio.setAttribute('aria-label', label);
    place?.append(this.#audio);
    return () => this.#audio.remove();
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#audio.pause();
    this.#audio.removeAttribute('src');
    this.#audio.load();
    this.#listeners.clear();
    if (current === this) current = undefined;
  }

  readonly #read = () => {
    const { paused, currentTime, error, playbackRate } = this.#audio;
    this.#change({
      isPlaying: !paused,
      seconds: currentTime,
      hasFailed: error !== null,
      rate: playbackRate,
    });
    cancelAnimationFrame(this.#frame);
    if (!paused) this.#frame = requestAnimationFrame(this.#read);
  };

  readonly #readDuration = () => {
    const { duration } = this.#audio;
    // While a file is loading, it may be unknown or infinite.
    if (Number.isFinite(duration) && duration > 0) this.#change({ duration });
  };

  #change(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
