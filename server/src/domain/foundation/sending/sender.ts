import { setTimeout as wait } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { reportRarely } from '../../../lib/report-rarely.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../context.ts';
import { requireTrusted } from '../principal.ts';
import { claimMs, Leases } from './leases.ts';
import type { Claim, SendQueue } from './send-queue.ts';

/** How often what a killed worker had claimed is looked for. */
const releaseEveryMs = 3_000;
const tidyEveryMs = 10_000;
const claimedAtOnce = 32;
/**
 * A part of the ten seconds in which a process must stop. What isn't finished is sent when its
 * claim ends.
 */
const stopWithinMs = 3_000;

/** What waits for one host or site, or is being sent to it. */
interface Host {
  readonly limit: LimitFunction;
  claims: number;
}

/** Finds what is due in a queue, and sends it. Any number of processes may do so. */
export class Sender<Lane extends string, C extends Claim> {
  readonly #ctx: Context;
  readonly #queue: SendQueue<Lane, C>;
  readonly #signal: AbortSignal;
  readonly #sending = new Map<Lane, Set<Promise<void>>>();
  readonly #filling = new Map<Lane, Promise<void>>();
  readonly #toFill = new Set<Lane>();
  readonly #hosts = new Map<string, Host>();
  /** The number of claims of each account that has some. */
  readonly #claimsOf = new Map<Lane, Map<string, number>>();
  #finding: Promise<void> | undefined;
  #isDueWanted = false;
  #isOldestNext = true;
  readonly #leases: Leases;
  #releasedAtMs = Number.NEGATIVE_INFINITY;
  #tidiedAtMs = Number.NEGATIVE_INFINITY;
  readonly #report = reportRarely((error: unknown) => {
    this.#ctx.log.warn({ err: error }, this.#queue.delayed);
  });

  constructor(ctx: Context, queue: SendQueue<Lane, C>, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#queue = queue;
    this.#signal = signal;
    this.#leases = new Leases(ctx, (ids, until) => queue.renew(ids, until), {
      stopping: signal,
      onFailure: (error) => this.#report(error),
    });
  }

  /** Makes due what has changed, and starts to send what is due. Never rejects. */
  async runOnce(): Promise<void> {
    await this.#try(() => this.#release());
    await this.#try(() => this.#queue.schedule(this.#signal));
    await this.fillDue();
  }

  /**
   * Starts to send what is due, and doesn't look for new changes. Never rejects. Calls at the same time
   * share a look.
   */
  async fillDue(): Promise<void> {
    this.#isDueWanted = true;
    this.#finding ??= this.#findDue().finally(() => {
      this.#finding = undefined;
    });
    await this.#finding;
  }

  async #findDue(): Promise<void> {
    while (this.#isDueWanted) {
      this.#isDueWanted = false;
      await this.#try(async () => {
        // Not awaited, because a long queue must not delay new changes.
        for (const lane of await this.#queue.findDue(this.#signal)) this.#fill(lane);
      });
    }
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    for (;;) {
      const sending = [...this.#sending.values()].flatMap((sent) => [...sent]);
      const underWay = [...this.#filling.values(), ...sending];
      if (underWay.length === 0) return;
      await Promise.all(underWay);
    }
  }

  async #release(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#releasedAtMs + releaseEveryMs) return;
    await this.#queue.releaseLost(this.#ctx.clock.now());
    this.#releasedAtMs = nowMs;
    if (nowMs < this.#tidiedAtMs + tidyEveryMs) return;
    await this.#queue.tidy(this.#ctx.clock.now());
    this.#tidiedAtMs = nowMs;
  }

  /** Claims and sends until all places are taken or nothing is due. */
  #fill(lane: Lane): void {
    // A host may have become free after the claim that is under way has begun.
    this.#toFill.add(lane);
    if (this.#filling.has(lane)) return;
    const filled = this.#try(async () => {
      while (this.#toFill.delete(lane)) while (await this.#claim(lane));
    }).finally(() => {
      this.#filling.delete(lane);
      if (this.#toFill.has(lane)) this.#fill(lane);
    });
    this.#filling.set(lane, filled);
  }

  /** False if there is no place, or if nothing more is due. */
  async #claim(lane: Lane): Promise<boolean> {
    const { places } = this.#queue;
    const free = places[lane] - this.#sendingIn(lane).size;
    // Claims several at a time: a claim for each request would cost as much as the request.
    if (free < places[lane] / 8 || this.#signal.aborted) return false;
    const claimedAtMs = performance.now();
    const at = this.#ctx.clock.now();
    const until = new Date(at.getTime() + claimMs);
    const limit = Math.min(free, this.#mostClaimed(lane));
    // By turns, so that one change with very much to send does not delay all later ones.
    const first = this.#isOldestNext ? 'oldest' : 'newest';
    this.#isOldestNext = !this.#isOldestNext;
    const busy = { busyHosts: this.#busyHosts(), busyAccounts: this.#busyAccounts(lane) };
    const request = { id: newId(), at, until, limit, first, ...busy } as const;
    const claims = await this.#queue.claim(lane, request);
    const isMore = claims.length === limit;
    for (const claim of claims) this.#send(lane, claim, { claimedAtMs, isMore });
    return isMore;
  }

  /**
   * All that is claimed at once may be for one host, or of one account, of which nothing is known before.
   * So that others don't wait for it, that is a part of the places.
   */
  #mostClaimed(lane: Lane): number {
    const { places, placesPerHost, limitsAccounts } = this.#queue;
    if (limitsAccounts) return Math.min(claimedAtOnce, Math.ceil(places[lane] / 8));
    return placesPerHost === undefined
      ? claimedAtOnce
      : Math.min(claimedAtOnce, Math.ceil(places[lane] / 4));
  }

  #send(
    lane: Lane,
    claim: C,
    { claimedAtMs, isMore }: { readonly claimedAtMs: number; readonly isMore: boolean },
  ): void {
    const sending = this.#sendingIn(lane);
    const held = this.#leases.hold(claim.id, claimedAtMs);
    const sent = this.#try(() => this.#sendForAccount(lane, claim, held.signal)).finally(() => {
      held[Symbol.dispose]();
      sending.delete(sent);
      if (isMore) this.#fill(lane);
    });
    sending.add(sent);
  }

  async #sendForAccount(lane: Lane, claim: C, signal: AbortSignal): Promise<void> {
    const { places, limitsAccounts = false } = this.#queue;
    const { accountId } = claim;
    if (!limitsAccounts || accountId === undefined)
      return await this.#sendToHost(lane, claim, signal);
    const claimsOf = this.#claimsIn(lane);
    claimsOf.set(accountId, (claimsOf.get(accountId) ?? 0) + 1);
    try {
      await this.#sendToHost(lane, claim, signal);
    } finally {
      const left = (claimsOf.get(accountId) ?? 0) - 1;
      if (left > 0) claimsOf.set(accountId, left);
      else claimsOf.delete(accountId);
      // Claims have passed over this account until now.
      if (left === Math.floor(places[lane] / 8)) this.#fill(lane);
    }
  }

  /** Waits for a place of the claim's host. */
  async #sendToHost(lane: Lane, claim: C, signal: AbortSignal): Promise<void> {
    const { placesPerHost } = this.#queue;
    const send = () => this.#queue.send(claim, signal);
    const name = claim.site ?? claim.host;
    if (placesPerHost === undefined || name === undefined) return await send();
    const host = this.#hosts.get(name) ?? { limit: pLimit(placesPerHost), claims: 0 };
    this.#hosts.set(name, host);
    host.claims += 1;
    try {
      await host.limit(send);
    } finally {
      host.claims -= 1;
      if (host.claims === 0) this.#hosts.delete(name);
      // Claims have passed over this host until now.
      if (host.claims === Math.floor(placesPerHost / 2)) this.#fill(lane);
    }
  }

  /** Hosts for which so much is claimed that claiming more would only keep it from other workers. */
  #busyHosts(): string[] {
    const { placesPerHost = Number.POSITIVE_INFINITY } = this.#queue;
    const isBusy = ({ claims }: Host) => claims > placesPerHost / 2;
    return [...this.#hosts].flatMap(([name, host]) => (isBusy(host) ? [name] : []));
  }

  /** Accounts that would have more than a quarter of the places if the next claim were theirs alone. */
  #busyAccounts(lane: Lane): string[] {
    const isBusy = (claims: number) => claims > this.#queue.places[lane] / 8;
    return [...this.#claimsIn(lane)].flatMap(([id, claims]) => (isBusy(claims) ? [id] : []));
  }

  #claimsIn(lane: Lane): Map<string, number> {
    const claimsOf = this.#claimsOf.get(lane) ?? new Map();
    this.#claimsOf.set(lane, claimsOf);
    return claimsOf;
  }

  #sendingIn(lane: Lane): Set<Promise<void>> {
    const sending = this.#sending.get(lane) ?? new Set();
    this.#sending.set(lane, sending);
    return sending;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#signal.aborted) this.#report(error);
    }
  }
}

/**
 * Sends what is due until it is disposed: starts the senders, and runs each of them every `everyMs`.
 * Errors are logged.
 */
export function startSending(
  ctx: Context,
  everyMs: number,
  start: (signal: AbortSignal) => readonly Pick<Sender<string, Claim>, 'runOnce' | 'settled'>[],
): AsyncDisposable {
  requireTrusted(ctx);
  const stopping = new AbortController();
  const { signal } = stopping;
  const senders = start(signal);
  const ended = (async () => {
    while (!signal.aborted) {
      for (const sender of senders) await sender.runOnce();
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(senders.map((sender) => sender.settled()));
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the worker is stopping'));
      await Promise.race([ended, wait(stopWithinMs, undefined, { ref: false })]);
    },
  };
}
