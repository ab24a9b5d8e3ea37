import { ProcessError } from './process-error.ts';

/** Of one owner. What waits may keep a file in memory. */
const mostWaiting = 200;

export interface Claim {
  readonly owner: string;
  /** It may take minutes. */
  readonly isLong?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting extends Claim {
  readonly begin: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Owners in the order of their turns, with what each has waiting. An owner who has had a turn, or
 * who comes with nothing waiting, is last: to come back is no advantage and no loss.
 */
type Round = Map<string, readonly Waiting[]>;

/**
 * Decides who works next: at most `most` at once, of which one owner never has all, and what takes
 * long has half. Owners take turns: those with long work among each other, because a turn with a
 * short file must not cost the turn with a long one.
 */
export class Turns {
  readonly #most: number;
  readonly #begun = new Set<Claim>();
  readonly #long: Round = new Map();
  readonly #short: Round = new Map();
  #stopReason: Error | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Waits for a turn, which lasts until it is disposed. Rejects with the signal's reason. */
  async take(claim: Claim): Promise<Disposable> {
    const { owner, signal } = claim;
    if (this.#stopReason !== undefined) throw this.#stopReason;
    signal?.throwIfAborted();
    const rounds = [this.#long, this.#short];
    const waits = rounds.map((round) => round.get(owner)?.length ?? 0);
    if (waits.reduce((sum, count) => sum + count) >= mostWaiting) {
      throw new ProcessError('busy', 'Too many files wait to be read.');
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { ...claim, begin: resolve, refuse: reject };
    const leave = () => this.#leave(waiting, signal?.reason);
    signal?.addEventListener('abort', leave);
    const round = this.#roundOf(waiting);
    round.set(owner, [...(round.get(owner) ?? []), waiting]);
    this.#next();
    await promise.finally(() => signal?.removeEventListener('abort', leave));
    return {
      [Symbol.dispose]: () => {
        this.#begun.delete(waiting);
        this.#next();
      },
    };
  }

  /** Refuses what waits, and all that comes. */
  stop(reason: Error): void {
    this.#stopReason = reason;
    for (const round of [this.#long, this.#short]) {
      for (const waiting of [...round.values()].flat()) waiting.refuse(reason);
      round.clear();
    }
  }

  #roundOf({ isLong }: Claim): Round {
    return isLong === true ? this.#long : this.#short;
  }

  /** Its owner keeps the turn, if more waits. */
  #leave(waiting: Waiting, reason: unknown): void {
    const round = this.#roundOf(waiting);
    const others = round.get(waiting.owner)?.filter((one) => one !== waiting) ?? [];
    if (others.length > 0) round.set(waiting.owner, others);
    else round.delete(waiting.owner);
    waiting.refuse(reason);
  }

  #next(): void {
    while (this.#begun.size < this.#most) {
      const waiting = (this.#isLongFree() && this.#shift(this.#long)) || this.#shift(this.#short);
      if (!waiting) return;
      this.#begun.add(waiting);
      waiting.begin();
    }
  }

  #isLongFree(): boolean {
    return [...this.#begun].filter(({ isLong }) => isLong).length < this.#most / 2;
  }

  #shift(round: Round): Waiting | undefined {
    for (const [owner, [first, ...others]] of round) {
      const begun = [...this.#begun].filter((claim) => claim.owner === owner);
      if (begun.length >= this.#most - 1) continue;
      round.delete(owner);
      if (others.length > 0) round.set(owner, others);
      return first;
    }
    return undefined;
  }
}
