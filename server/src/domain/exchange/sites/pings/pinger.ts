import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { reportRarely } from '../../../../lib/report-rarely.ts';
import { newId } from '../../../../lib/uuid.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { hasUnreadChanges } from '../../../foundation/outbox/index.ts';
import { requireTrusted } from '../../../foundation/principal.ts';
import {
  lockPublications,
  makePublishedDue,
  makeSiteDue,
  selectEndOfPublications,
} from './due.sql.ts';
import type { PingLimits } from './post-ping.ts';
import {
  type Claim,
  claimPings,
  countPings,
  type PingBacklog,
  type PingQueue,
  releaseLostPings,
  selectPingWork,
} from './queue.sql.ts';
import { consumer, schedulePingsForChanges } from './schedule-pings.ts';
import { type PingCounts, sendPing } from './send-ping.ts';

/**
 * The life of a claim, much longer than a ping takes. If a worker is killed, its pings are sent
 * after this.
 */
const claimMs = 90_000;
const releaseEveryMs = 10_000;
const claimedAtOnce = 32;
/**
 * The most requests at once. A request mostly waits for its site and costs little. Sites whose last
 * ping failed have few places of their own, so they never delay the others.
 */
const places: Readonly<Record<PingQueue, number>> = { regular: 256, retry: 32 };
/** For the whole process: the database is what limits pings of sites that answer. */
const preparedAtOnce = 4;

export interface PingerOptions {
  readonly signal: AbortSignal;
  readonly counts: PingCounts;
  readonly limits?: PingLimits | undefined;
}

/** Finds what has changed for sites, and sends the pings. */
export class Pinger {
  readonly #ctx: Context;
  readonly #options: PingerOptions;
  readonly #limited = pLimit(preparedAtOnce);
  readonly #sending = { regular: new Set<Promise<void>>(), retry: new Set<Promise<void>>() };
  readonly #filling: Record<PingQueue, Promise<void> | undefined> = {
    regular: undefined,
    retry: undefined,
  };
  #isOldestNext = true;
  #releasedAtMs = Number.NEGATIVE_INFINITY;
  readonly #report = reportRarely((error: unknown) => {
    this.#ctx.log.warn({ err: error }, 'pings to sites are delayed');
  });

  constructor(ctx: Context, options: PingerOptions) {
    this.#ctx = ctx;
    this.#options = options;
  }

  /** Handles new changes, and starts to send pings that are due. Never rejects. */
  async runOnce(): Promise<void> {
    const { signal } = this.#options;
    await this.#try(() => this.#release());
    await this.#try(async () => {
      if (await hasUnreadChanges(this.#ctx, consumer))
        await schedulePingsForChanges(this.#ctx, { signal });
    });
    await this.#try(async () => {
      const now = this.#ctx.clock.now();
      const work = await selectPingWork(this.#ctx.db, now);
      if (work.publications) await schedulePingsForPublications(this.#ctx, { signal });
      // Not awaited, because a long queue must not delay new changes.
      if (work.regular || work.publications) this.#fill('regular');
      if (work.retry) this.#fill('retry');
    });
  }

  /** Resolves when no ping is being sent. */
  async settled(): Promise<void> {
    for (;;) {
      const { regular, retry } = this.#filling;
      const underWay = [regular, retry, ...this.#sending.regular, ...this.#sending.retry];
      const waiting = underWay.filter((work) => work !== undefined);
      if (waiting.length === 0) return;
      await Promise.all(waiting);
    }
  }

  async #release(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#releasedAtMs + releaseEveryMs) return;
    await releaseLostPings(this.#ctx.db, this.#ctx.clock.now());
    this.#releasedAtMs = nowMs;
  }

  /** Claims and sends until all places are taken or nothing is due. */
  #fill(queue: PingQueue): void {
    this.#filling[queue] ??= this.#try(async () => {
      while (await this.#claim(queue));
    }).finally(() => {
      this.#filling[queue] = undefined;
    });
  }

  /** False if there is no place, or if nothing more is due. */
  async #claim(queue: PingQueue): Promise<boolean> {
    const free = places[queue] - this.#sending[queue].size;
    // Claims several at a time: a claim for each request would cost as much as the request.
    if (free < places[queue] / 8 || this.#options.signal.aborted) return false;
    const at = this.#ctx.clock.now();
    const until = new Date(at.getTime() + claimMs);
    const limit = Math.min(free, claimedAtOnce);
    // By turns, so that one change of a show with very many sites does not delay all later ones.
    const first = this.#isOldestNext ? 'oldest' : 'newest';
    this.#isOldestNext = !this.#isOldestNext;
    const claims = await claimPings(this.#ctx.db, queue, { id: newId(), at, until, limit, first });
    const isMore = claims.length === limit;
    for (const claim of claims) this.#send(queue, claim, isMore);
    return isMore;
  }

  #send(queue: PingQueue, claim: Claim, isMore: boolean): void {
    const sending = { ...this.#options, limited: this.#limited };
    const sent = this.#try(() => sendPing(this.#ctx, claim, sending)).finally(() => {
      this.#sending[queue].delete(sent);
      if (isMore) this.#fill(queue);
    });
    this.#sending[queue].add(sent);
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#options.signal.aborted) this.#report(error);
    }
  }
}

/** The most publications in one transaction. */
const publicationsAtOnce = 1_000;

/**
 * Makes pings due for episodes that became public since the last call. The outbox has no such
 * changes, because publication writes nothing. After a long absence it works in pieces. If the
 * clock was set back, episodes that are not public any more count as changed too, all at once.
 */
export async function schedulePingsForPublications(
  ctx: Context,
  options: { readonly signal?: AbortSignal; readonly atOnce?: number } = {},
): Promise<void> {
  const { signal, atOnce = publicationsAtOnce } = options;
  for (let isDone = false; !isDone && signal?.aborted !== true; ) {
    isDone = await transact(ctx, (tx) => scheduleNext(tx, atOnce));
  }
}

/** True if nothing is left, or if another worker is handling it. */
async function scheduleNext(tx: Context, atOnce: number): Promise<boolean> {
  const from = await lockPublications(tx.db);
  if (from === undefined) return true;
  const now = tx.clock.now();
  const to = await selectEndOfPublications(tx.db, { from, to: now }, atOnce);
  await makePublishedDue(tx.db, { from, to }, now);
  return to.getTime() === now.getTime();
}

/** A site is to be told within five seconds of a change (SITE-39). */
const everyMs = 1_500;
/**
 * A part of the ten seconds in which a process must stop. Unfinished pings are sent when their
 * claims end.
 */
const stopWithinMs = 3_000;

/**
 * Sends pings to connected sites until it is disposed. Any number of processes may do so. When
 * idle, each run makes two queries. Errors are logged.
 */
export function startPings(ctx: Context, options: Omit<PingerOptions, 'signal'>): AsyncDisposable {
  requireTrusted(ctx);
  const stopping = new AbortController();
  const { signal } = stopping;
  const pinger = new Pinger(ctx, { ...options, signal });
  const ended = (async () => {
    while (!signal.aborted) {
      await pinger.runOnce();
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
    }
    await pinger.settled();
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the worker is stopping'));
      await Promise.race([ended, wait(stopWithinMs, undefined, { ref: false })]);
    },
  };
}

/** Counts the pings that wait, for the whole installation. */
export async function countPingBacklog(ctx: Context): Promise<PingBacklog> {
  requireTrusted(ctx);
  return countPings(ctx.db, ctx.clock.now());
}

/** Makes a ping due for a site whose shows have changed; call it in the same transaction. */
export async function schedulePing(tx: Context, siteId: string): Promise<void> {
  await makeSiteDue(tx.db, siteId, tx.clock.now());
}
