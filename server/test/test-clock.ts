export interface SettableClock {
  now(): Date;
  set(now: Date): void;
  advance(milliseconds: number): void;
  /** Back to where it stood at first: for tests that share what they are about. */
  reset(): void;
}

/** Stands still until a test moves it: nothing waits for time. */
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
