export const sleepMinutes: readonly number[] = [5, 10, 15, 30, 45, 60];

/** Minutes, or until the end of the episode. */
export type Sleep = number | 'end' | undefined;

/** Ends listening after a time. */
export class SleepTimer {
  #chosen: Sleep;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #endsMs = 0;
  readonly #onEnd: () => void;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get chosen(): Sleep {
    return this.#chosen;
  }

  /** What is left of the chosen time; 0 if it isn't a time. */
  get leftMs(): number {
    return Math.max(0, this.#endsMs - Date.now());
  }

  set(chosen: Sleep, leftMs = Number(chosen) * 60_000): void {
    clearTimeout(this.#timer);
    this.#chosen = chosen;
    this.#endsMs = 0;
    if (typeof chosen !== 'number') return;
    this.#endsMs = Date.now() + leftMs;
    this.#timer = setTimeout(() => {
      this.#chosen = undefined;
      this.#onEnd();
    }, leftMs);
  }

  /** Whether listening ends with the episode that has just ended. */
  endsNow(): boolean {
    const ends = this.#chosen === 'end';
    if (ends) this.#chosen = undefined;
    return ends;
  }
}
