import { Turns } from '../../platform/processes/turns.ts';
import { Waiters } from './waiters.ts';

/** Smaller builds never wait. A large one has this much when it begins to wait. */
export const smallestBytes = 512 * 1024;
/** A feed of 5,000 long episodes takes some 100 MB. One show never has all places. */
const mostAtOnce = 2;
/**
 * After a build, its show rests for so many times as long as the build took. Half of that time may be the
 * main thread's, and pages with filters are built for each request.
 */
const restShare = 2;
/** A build that only waited for a slow database should not keep its show waiting for minutes. */
const longestRestMs = 5_000;

/**
 * Limits how many large responses are built at once: a feed of some thousand episodes takes several
 * times its size until it is compressed. Shows take turns, and each has a third of the time at most. So do
 * the networks that request one show.
 */
export class LargeBuilds {
  readonly #turns: Turns;
  readonly #client: string | undefined;

  constructor(turns = new Turns(mostAtOnce), client?: string) {
    this.#turns = turns;
    this.#client = client;
  }

  /** The same for what clients of this network request. */
  within(client: string): LargeBuilds {
    return new LargeBuilds(this.#turns, client);
  }

  /** Begins a build, which is small at first. For one client, `waiting` aborts when this one leaves. */
  begin(podcastId: string, waiting?: AbortSignal | Waiters): Build {
    const isShared = waiting instanceof Waiters;
    const one = () => Waiters.one({ network: this.#client, leaving: waiting as AbortSignal });
    return new Build(this.#turns, podcastId, isShared ? waiting : one());
  }
}

/** Disposing it leaves its turn to the next. */
class Build implements Disposable {
  readonly #turns: Turns;
  readonly #owner: string;
  readonly #waiters: Waiters;
  #turn: Disposable | undefined;
  #beganMs = 0;

  constructor(turns: Turns, owner: string, waiters: Waiters) {
    this.#turns = turns;
    this.#owner = owner;
    this.#waiters = waiters;
  }

  /**
   * Waits for a turn when the build has become large, or will become it. `heldBytes`: what is in memory
   * already. Throws 503 if too many wait, and the reason of who leaves.
   */
  async grow(bytes: number, heldBytes = bytes): Promise<void> {
    if (this.#turn !== undefined || bytes < smallestBytes) return;
    const message = 'Too many large files are being created. Try again shortly.';
    const claimOf = (client?: string) => ({ owner: this.#owner, client, heldBytes });
    this.#turn = await this.#waiters.takeTurn(this.#turns, claimOf, message);
    this.#beganMs = performance.now();
  }

  [Symbol.dispose](): void {
    if (this.#turn === undefined) return;
    const restMs = restShare * (performance.now() - this.#beganMs);
    this.#turns.rest(this.#owner, Math.min(restMs, longestRestMs));
    this.#turn[Symbol.dispose]();
  }
}

export type { Build };
