import { performance as nodePerformance } from 'node:perf_hooks';
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
/**
 * Its place rests for so many times as long as the main thread was busy meanwhile. So both places together take half of
 * the main thread's time at most, however many shows and networks ask for large responses.
 */
const placeRestShare = 3;
/** A build that only waited for a slow database should not keep its show waiting for minutes. */
const longestRestMs = 5_000;

/** How long the main thread of this process has been busy. */
const mainThreadMs = () => nodePerformance.eventLoopUtilization().active;

/**
 * Limits how many large responses are built at once: a feed of some thousand episodes takes several
 * times its size until it is compressed. Shows take turns, and each has a third of the time at most. So do
 * the networks that request one show. All together leave half of the main thread's time to everything else.
 */
export class LargeBuilds {
  readonly #places: Places;
  readonly #client: string | undefined;

  constructor(
    places: Places = { turns: new Turns(mostAtOnce), busyMs: mainThreadMs },
    client?: string,
  ) {
    this.#places = places;
    this.#client = client;
  }

  /** The same for what clients of this network request. */
  within(client: string): LargeBuilds {
    return new LargeBuilds(this.#places, client);
  }

  /** Begins a build, which is small at first. For one client, `waiting` aborts when this one leaves. */
  begin(podcastId: string, waiting?: AbortSignal | Waiters): Build {
    const isShared = waiting instanceof Waiters;
    const one = () => Waiters.one({ network: this.#client, leaving: waiting as AbortSignal });
    return new Build(this.#places, podcastId, isShared ? waiting : one());
  }
}

interface Places {
  readonly turns: Turns;
  /** How long the main thread has been busy. */
  readonly busyMs: () => number;
}

/** Disposing it leaves its turn to the next, after a rest. */
class Build implements Disposable {
  readonly #places: Places;
  readonly #owner: string;
  readonly #waiters: Waiters;
  #turn: Disposable | undefined;
  #beganMs = 0;
  #busyBeforeMs = 0;

  constructor(places: Places, owner: string, waiters: Waiters) {
    this.#places = places;
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
    this.#turn = await this.#waiters.takeTurn(this.#places.turns, claimOf, message);
    this.#beganMs = performance.now();
    this.#busyBeforeMs = this.#places.busyMs();
  }

  [Symbol.dispose](): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    const { turns, busyMs } = this.#places;
    const placeRestMs = placeRestShare * (busyMs() - this.#busyBeforeMs);
    const showRestMs = restShare * (performance.now() - this.#beganMs);
    setTimeout(() => turn[Symbol.dispose](), Math.min(placeRestMs, longestRestMs)).unref();
    // Its timer ends later than that of the place, which others get first.
    const restMs = Math.max(placeRestMs, showRestMs);
    turns.rest(this.#owner, Math.min(restMs, longestRestMs));
  }
}

export type { Build };
