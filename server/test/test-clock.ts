export interface SettableClock {
  now(): Date;
  set(now: Date): void;
  advance(milliseconds: number): void;
  /** Sets it back to its start, for tests that share an app. */
  reset(): void;
}

/** A clock that only the test moves, so that no test waits. */
export function createTestClock(start = '2026-03-10T12:00:00.000Z'): SettableClock {
  let now = new Date(start);
  return {
    now: () => now,
    set: (next) => {
      now = next;
    },
    reset: () => {
      now = new Date(start);
    },
    advance: (milliseconds) => {
      now = new Date(now.getTime() + milliseconds);
    },
  };
}
