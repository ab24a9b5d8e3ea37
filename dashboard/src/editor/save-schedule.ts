import type { Clock } from './clock.ts';

/**
 * Says when the next save is due: soon after the last keystroke, or after the pause of a failure.
 */
export class SaveSchedule {
  readonly #clock: Clock;
  readonly #save: () => void;
  #cancel: (() => void) | undefined;
  #firstEditAt: number | undefined;
  #failures = 0;

  constructor(clock: Clock, save: () => void) {
    this.#clock = clock;
    this.#save = save;
  }

  get isWaiting(): boolean {
    return this.#cancel !== undefined;
  }

  get isBackingOff(): boolean {
    return this.#failures > 0;
  }

  /**
   * Waits for a pause in the typing, but not forever. While the server fails, keeps the pause of
   * the failure.
   */
  noteEdit(): void {
    if (this.isBackingOff && this.isWaiting) return;
    const now = this.#clock.now();
    this.#firstEditAt ??= now;
    this.#wait(Math.min(pauseMs, Math.max(0, this.#firstEditAt + mostTypingMs - now)));
  }

  /** Another tab saves its edits; this one saves them only if that tab ends. */
  noteForeignEdit(): void {
    if (!this.isWaiting) this.#wait(foreignPauseMs);
  }

  noteFailure(retryAfterSeconds = 0): void {
    const backoff = Math.min(mostBackoffMs, firstBackoffMs * 2 ** this.#failures);
    this.#failures += 1;
    const spread = backoff * (0.5 + this.#clock.random() / 2);
    this.#wait(Math.max(spread, retryAfterSeconds * 1000));
  }

  noteSuccess(): void {
    this.#failures = 0;
  }

  /** Cancels the next save. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#firstEditAt = undefined;
  }

  #wait(milliseconds: number): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(milliseconds, () => {
      this.clear();
      this.#save();
    });
  }
}

const pauseMs = 800;
const mostTypingMs = 8_000;
const foreignPauseMs = 6_000;
const firstBackoffMs = 1_000;
const mostBackoffMs = 60_000;
