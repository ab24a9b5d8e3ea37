import type { Clock } from '../../src/editor/clock.ts';

/** A clock that only the test moves. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 10, 23);
  #timers: { readonly at: number; readonly work: () => void }[] = [];

  readonly now = () => this.#now;
  readonly random = () => 0.5;

  readonly after = (milliseconds: number, work: () => void) => {
    const timer = { at: this.#now + milliseconds, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#now = Math.max(this.#now, due.at);
      this.#timers = this.#timers.filter((other) => other !== due);
      due.work();
    }
    this.#now = end;
  }
}
