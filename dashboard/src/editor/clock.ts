export interface Clock {
  /** In milliseconds since 1970. */
  now(): number;
  /** Runs `work` once; the result cancels it. */
  after(milliseconds: number, work: () => void): () => void;
  /** From 0 to below 1. */
  random(): number;
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
