import pLimit from 'p-limit';
import type { Context } from '../../../foundation/context.ts';
import { hasUnreadChanges } from '../../../foundation/outbox/index.ts';
import { requireTrusted } from '../../../foundation/principal.ts';
import {
  type FailureLane,
  renewClaims,
  Sender,
  type SendQueue,
  startSending,
} from '../../../foundation/sending/index.ts';
import { hasNewPublications } from '../../../publishing/episodes/index.ts';
import { makeSiteDue } from './due.sql.ts';
import type { PingLimits } from './post-ping.ts';
import {
  claimPings,
  countPings,
  hastenPings,
  type PingBacklog,
  type PingClaim,
  releaseLostPings,
  selectPingWork,
} from './queue.sql.ts';
import {
  consumer,
  schedulePingsForChanges,
  schedulePingsForPublications,
} from './schedule-pings.ts';
import { type PingCounts, sendPing } from './send-ping.ts';

/** For the whole process: the database is what limits pings of sites that answer. */
const preparedAtOnce = 4;

export interface PingerOptions {
  readonly signal: AbortSignal;
  readonly counts: PingCounts;
  readonly limits?: PingLimits | undefined;
}

export type Pinger = Sender<FailureLane, PingClaim>;

/** Finds what has changed for sites, and sends the pings. */
export function createPinger(ctx: Context, { signal, counts, limits }: PingerOptions): Pinger {
  const limited = pLimit(preparedAtOnce);
  const queue: SendQueue<FailureLane, PingClaim> = {
    delayed: 'pings to sites are delayed',
    // A request mostly waits for its site and costs little.
    places: { regular: 256, retry: 32 },
    schedule: async () => {
      if (await hasUnreadChanges(ctx, consumer)) await schedulePingsForChanges(ctx, { signal });
    },
    async findDue() {
      if (await hasNewPublications(ctx, consumer))
        await schedulePingsForPublications(ctx, { signal });
      return await selectPingWork(ctx.db, ctx.clock.now());
    },
    claim: (lane, request) => claimPings(ctx.db, lane, request),
    renew: (ids, until) => renewClaims(ctx.db, 'site_pings', ids, until),
    releaseLost: (now) => releaseLostPings(ctx.db, now),
    tidy: (now) => hastenPings(ctx.db, now),
    send: (claim, held) => sendPing(ctx, claim, { signal: held, counts, limits, limited }),
  };
  return new Sender(ctx, queue, signal);
}

/** A site is to be told within five seconds of a change (SITE-39). */
const everyMs = 1_500;

/**
 * Sends pings to connected sites until it is disposed. Any number of processes may do so. When
 * idle, each run makes three queries. Errors are logged.
 */
export function startPings(ctx: Context, options: Omit<PingerOptions, 'signal'>): AsyncDisposable {
  return startSending(ctx, everyMs, (signal) => [createPinger(ctx, { ...options, signal })]);
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
