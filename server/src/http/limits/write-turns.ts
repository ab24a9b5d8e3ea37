import type { ServerResponse } from 'node:http';

/** The system takes some milliseconds to copy so much. */
const bytesPerTurn = 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly goOn: () => void;
}

/**
 * Limits the bytes that all large responses together write in one turn of the event loop. For a local
 * client or proxy, the system accepts megabytes at once, even if nobody reads them, so a few hundred
 * responses that are written in one turn would hold up all other requests for seconds.
 */
export class WriteTurns {
  #leftBytes = bytesPerTurn;
  #isTurnCounted = false;
  /** In the order of their turns. */
  readonly #waiting = new Set<Waiting>();

  /** Takes bytes of this turn unless it has none left, or others wait. The last ones may exceed it. */
  tryTake(bytes: number): boolean {
    if (this.#leftBytes <= 0 || this.#waiting.size > 0) return false;
    this.#take(bytes);
    return true;
  }

  /**
   * Calls `goOn`, which must not throw, in the turn that has these bytes. Only for bytes that `tryTake`
   * has refused. Returns a function that gives them up.
   */
  await(bytes: number, goOn: () => void): () => void {
    const waiting = { bytes, goOn };
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }

  #take(bytes: number): void {
    this.#leftBytes -= bytes;
    if (this.#isTurnCounted) return;
    this.#isTurnCounted = true;
    setImmediate(this.#beginTurn);
  }

  readonly #beginTurn = (): void => {
    this.#isTurnCounted = false;
    this.#leftBytes = bytesPerTurn;
    for (const waiting of this.#waiting) {
      if (this.#leftBytes <= 0) return;
      this.#waiting.delete(waiting);
      this.#take(waiting.bytes);
      waiting.goOn();
    }
  };
}

/** Writes one response in its turns, and as fast as the system takes it for the client. */
export class PacedResponse {
  readonly #turns: WriteTurns;
  readonly #response: ServerResponse;
  #goOn: () => void = () => undefined;

  constructor(turns: WriteTurns, response: ServerResponse) {
    this.#turns = turns;
    this.#response = response;
    // The callback of `write` is not always called if the client disconnects.
    response.once('close', () => this.#goOn());
  }

  /** Undefined if so many bytes may be written now. Else resolves then, or when the client leaves. */
  turn(bytes: number): Promise<void> | undefined {
    if (this.#turns.tryTake(bytes)) return undefined;
    return new Promise((resolve) => {
      const giveUp = this.#turns.await(bytes, resolve);
      this.#goOn = () => {
        giveUp();
        resolve();
      };
    });
  }

  /** Resolves when the system has taken all that was written, or when the client leaves. */
  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve;
      this.#response.write(bytes, () => resolve());
    });
  }
}
