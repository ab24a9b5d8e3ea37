import { LRUCache } from 'lru-cache';

const pauseMs = 10_000;
/** Usually there are a few. Each missing file is one. */
const mostReasons = 1_000;

interface Reason {
  quietUntilMs: number;
  omitted: number;
}

/**
 * Keeps the log short while many requests fail for the same reason, such as a database without free
 * connections: anybody can cause that as often as they like, and each line with a stack has a kilobyte.
 */
export class FailureLog {
  readonly #reasons = new LRUCache<string, Reason>({ max: mostReasons });
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /**
   * Calls `write` at most once in ten seconds for a reason, with the number of failures that were not
   * written since the last time; always without a reason. Of more than a thousand, the oldest is forgotten.
   */
  note(reason: string | undefined, write: (counted: { readonly omitted?: number }) => void): void {
    if (reason === undefined) {
      write({});
      return;
    }
    const nowMs = this.#nowMs();
    const known = this.#reasons.get(reason);
    if (known !== undefined && nowMs < known.quietUntilMs) {
      known.omitted += 1;
      return;
    }
    this.#reasons.set(reason, { quietUntilMs: nowMs + pauseMs, omitted: 0 });
    write(known?.omitted ? { omitted: known.omitted } : {});
  }
}
