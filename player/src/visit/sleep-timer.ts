export const sleepMinutes: readonly number[] = [5, 10, 15, 30, 45, 60];

/** Minutes, or until the episode is over. */
export type Sleep = number | 'end' | undefined;

/** Ends listening after a time. */
export class SleepTimer {
  #chosen: Sleep;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onEnd: () => void;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get chosen(): Sleep {
    return this.#chosen;
  }

  set(chosen: Sleep): void {
    clearTimeout(this.#timer);
    this.#chosen = chosen;
    if (typeof chosen !== 'number') return;
    this.#timer = setTimeout(() => {
      this.#chosen = undefined;
      this.#onEnd();
    }, chosen * 60_000);
  }

  /** Whether listening ends with the episode that has just ended. */
  endsNow(): boolean {
    const ends = this.#chosen === 'end';
    if (ends) this.#chosen = undefined;
    return ends;
  }
}
