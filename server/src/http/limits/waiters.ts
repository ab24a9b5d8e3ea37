import { takeTurn } from '../../domain/foundation/take-turn.ts';
import type { Claim, Turns } from '../../platform/processes/turns.ts';

/** For one computation. What everybody waits for must not fill the queues alone. */
const mostClaims = 8;

/** A client that waits for a computation. */
export interface Waiter {
  /** The one that takes turns; undefined for accounts. */
  readonly network?: string | undefined;
  /** Aborts when the client leaves. */
  readonly leaving?: AbortSignal | undefined;
}

/** The claim of a network; of whoever began if nobody who takes turns waits any more. */
type ClaimOf = (network?: string) => Claim;

/** Who waits for a computation: one client, or all who share its result. */
export class Waiters {
  /** Aborts when all have left. */
  readonly left: AbortSignal | undefined;
  readonly #leaving: AbortController | undefined;
  /** How many clients of each network wait. */
  readonly #networks = new Map<string, number>();
  /** Waits for turns, which further networks may have sooner. */
  readonly #claiming = new Set<(network: string) => void>();
  #count = 0;

  private constructor(left: AbortSignal | undefined, leaving?: AbortController) {
    this.left = left;
    this.#leaving = leaving;
  }

  /** One alone, whom nobody joins. */
  static one({ network, leaving }: Waiter): Waiters {
    const one = new Waiters(leaving);
    one.hasten(network);
    return one;
  }

  /** Those who share a result. The first is there at once. */
  static shared(first: Waiter): Waiters {
    const leaving = new AbortController();
    const all = new Waiters(leaving.signal, leaving);
    all.join(first);
    return all;
  }

  join({ network, leaving }: Waiter): void {
    this.#count += 1;
    this.hasten(network);
    const leave = () => {
      this.#count -= 1;
      this.#forget(network);
      if (this.#count === 0) this.#leaving?.abort(leaving?.reason);
    };
    if (leaving?.aborted) leave();
    else leaving?.addEventListener('abort', leave, { once: true });
  }

  /** Lets this network's turns count for the computation, too. */
  hasten(network: string | undefined): void {
    if (network === undefined) return;
    const before = this.#networks.get(network) ?? 0;
    this.#networks.set(network, before + 1);
    if (before > 0) return;
    for (const claim of this.#claiming) claim(network);
  }

  /**
   * Takes a turn of whichever network has its own first, so that nobody waits for what else another one has
   * waiting. Throws 503 with `message` if all are refused, or the one that keeps something in memory; and the
   * reason of `left`.
   */
  async takeTurn(turns: Turns, claimOf: ClaimOf, message: string): Promise<Disposable> {
    const taken = Promise.withResolvers<Disposable>();
    const others = new AbortController();
    const giveUp = () => others.abort(this.left?.reason);
    let [made, waiting, isSettled] = [0, 0, false];
    const claim = (network?: string) => {
      // Whoever joins just when the last claim has been refused comes too late.
      if (isSettled || made === mostClaims) return;
      const own = { ...claimOf(network), signal: others.signal };
      // What is in memory counts once.
      if (made > 0) own.heldBytes = own.heldBytes && 0;
      const holds = (own.heldBytes ?? 0) > 0;
      [made, waiting] = [made + 1, waiting + 1];
      const onTurn = (turn: Disposable) => {
        if (isSettled) return turn[Symbol.dispose]();
        isSettled = true;
        taken.resolve(turn);
        // A reason of its own would cost a stack.
        others.abort(null);
      };
      const onRefusal = (error: unknown) => {
        waiting -= 1;
        if (isSettled || (waiting > 0 && !holds)) return;
        isSettled = true;
        taken.reject(error);
        others.abort(error);
      };
      void takeTurn(turns, own, message).then(onTurn, onRefusal);
    };
    if (this.left?.aborted) giveUp();
    this.left?.addEventListener('abort', giveUp);
    if (this.#networks.size === 0) claim();
    else for (const network of this.#networks.keys()) claim(network);
    this.#claiming.add(claim);
    return await taken.promise.finally(() => {
      this.#claiming.delete(claim);
      this.left?.removeEventListener('abort', giveUp);
    });
  }

  #forget(network: string | undefined): void {
    if (network === undefined) return;
    const left = (this.#networks.get(network) ?? 0) - 1;
    if (left > 0) this.#networks.set(network, left);
    else this.#networks.delete(network);
  }
}
