import type { Context } from '../context.ts';

/**
 * How long a claim lasts without renewal: if a worker is killed, what it had claimed is due again
 * after this. Longer than a busy machine or a database that changes its primary delays a renewal.
 */
export const claimMs = 15_000;
const renewEveryMs = 3_000;

interface Lease {
  readonly lost: AbortController;
  readonly signal: AbortSignal;
  /** By the clock that is never set: nobody else has the claim before this. */
  heldUntilMs: number;
  /** How many of its rows are being worked on. */
  rows: number;
}

/** A row of a claim that is being worked on, until it is disposed. */
export interface HeldClaim extends Disposable {
  /** Aborts with the sender's, and if the claim may have ended: another worker may send it. */
  readonly signal: AbortSignal;
}

/** Resolves to those of the claims that still exist. */
export type RenewClaims = (ids: readonly string[], until: Date) => Promise<readonly string[]>;

/** Renews the claims of a worker while it works on them. docs/decisions/0070. */
export class Leases {
  readonly #ctx: Context;
  readonly #renew: RenewClaims;
  readonly #stopping: AbortSignal;
  readonly #onFailure: (error: unknown) => void;
  readonly #leases = new Map<string, Lease>();
  #timer: NodeJS.Timeout | undefined;
  #isRenewing = false;

  constructor(
    ctx: Context,
    renew: RenewClaims,
    { stopping, onFailure }: { stopping: AbortSignal; onFailure: (error: unknown) => void },
  ) {
    this.#ctx = ctx;
    this.#renew = renew;
    this.#stopping = stopping;
    this.#onFailure = onFailure;
  }

  /** `claimedAtMs`: when the claim was requested, by `performance.now()`. */
  hold(id: string, claimedAtMs: number): HeldClaim {
    const lease = this.#leases.get(id) ?? this.#begin(id, claimedAtMs);
    lease.rows += 1;
    return {
      signal: lease.signal,
      [Symbol.dispose]: () => {
        lease.rows -= 1;
        if (lease.rows === 0) this.#end(id);
      },
    };
  }

  #begin(id: string, claimedAtMs: number): Lease {
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping, lost.signal]);
    const lease = { lost, signal, heldUntilMs: claimedAtMs + claimMs, rows: 0 };
    this.#leases.set(id, lease);
    this.#timer ??= setInterval(() => this.#tick(), renewEveryMs).unref();
    return lease;
  }

  #end(id: string): void {
    this.#leases.delete(id);
    if (this.#leases.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const nowMs = performance.now();
    for (const lease of this.#leases.values()) if (nowMs >= lease.heldUntilMs) lose(lease);
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    this.#renewAll(nowMs)
      .catch((error: unknown) => this.#onFailure(error))
      .finally(() => {
        this.#isRenewing = false;
      });
  }

  async #renewAll(nowMs: number): Promise<void> {
    const held = [...this.#leases].filter(([, { lost }]) => !lost.signal.aborted);
    if (held.length === 0) return;
    const until = new Date(this.#ctx.clock.now().getTime() + claimMs);
    const ids = held.map(([id]) => id);
    const renewed = new Set(await this.#renew(ids, until));
    for (const [id, lease] of held) {
      if (renewed.has(id)) lease.heldUntilMs = nowMs + claimMs;
      // Or all of its rows have just been stored.
      else lose(lease);
    }
  }
}

function lose({ lost }: Lease): void {
  lost.abort(new Error('the claim has ended'));
}
