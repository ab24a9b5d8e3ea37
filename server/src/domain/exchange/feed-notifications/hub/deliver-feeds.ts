import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Context } from '../../../foundation/context.ts';
import {
  type FailureLane,
  renewClaims,
  Sender,
  type SendQueue,
} from '../../../foundation/sending/index.ts';
import { feedContentType } from '../../../public/feeds/index.ts';
import type { NotificationCounts } from '../notification-counts.ts';
import { createEndTelling, inRowBatches, storeTold, tell, withRow } from '../tell.ts';
import {
  beginTelling,
  endNeedless,
  endUnwanted,
  hastenTold,
  releaseLostRows,
  selectToldWork,
  type ToldRow,
} from '../told-rows.sql.ts';
import { FeedBodies, type FeedBody } from './feed-bodies.ts';
import {
  claimDeliveries,
  type DeliveryClaim,
  deleteExpiredSubscriptions,
  deleteSubscription,
  isAlive,
  type Subscriber,
  subscriberColumns,
  subscriptionTable,
} from './hub-subscriptions.sql.ts';
import { SlowSites } from './slow-sites.ts';

const limits = { connectTimeoutMs: 5_000, timeoutMs: 30_000, maxRedirects: 0 };
/** The subscriber has ended the subscription (WebSub 7). */
const gone = 410;

export interface Delivering {
  readonly signal: AbortSignal;
  readonly counts: NotificationCounts;
}

/** Sends changed feeds to the callbacks of their subscribers. */
export function createFeedDeliverer(
  ctx: Context,
  { signal, counts }: Delivering,
): Sender<FailureLane, DeliveryClaim> {
  const slowSites = new SlowSites();
  const queue: SendQueue<FailureLane, DeliveryClaim> = {
    delayed: 'deliveries of feeds to subscribers are delayed',
    places: { regular: 128, retry: 16 },
    placesPerHost: 8,
    // A show has up to 1,000 subscribers, and whoever owns it may change its feed at any time.
    limitsAccounts: true,
    schedule: async () => undefined,
    async findDue() {
      const now = ctx.clock.now();
      const lanes = await selectToldWork(ctx.db, subscriptionTable, isAlive(now), now);
      // Some of what is due may be for slow sites.
      const isAny = slowSites.names.length > 0 && lanes.length > 0;
      return isAny ? ['regular', 'retry'] : lanes;
    },
    claim: (lane, request) => claimDeliveries(ctx.db, lane, request, slowSites.names),
    renew: (ids, until) => renewClaims(ctx.db, 'hub_subscriptions', ids, until),
    releaseLost: (now) => releaseLostRows(ctx.db, subscriptionTable, now),
    async tidy(now) {
      await hastenTold(ctx.db, subscriptionTable, now);
      await deleteExpiredSubscriptions(ctx.db, now);
    },
    send: createDeliver(ctx, counts, slowSites),
  };
  return new Sender(ctx, queue, signal);
}

/** Delivers a feed. Throws only for failures that are ours. */
function createDeliver(
  ctx: Context,
  counts: NotificationCounts,
  slowSites: SlowSites,
): (claim: DeliveryClaim, signal: AbortSignal) => Promise<void> {
  const table = subscriptionTable;
  const bodies = new FeedBodies();
  const begin = inRowBatches((rows: readonly ToldRow[]) =>
    beginTelling<Subscriber>(ctx.db, table, rows, ctx.clock.now(), subscriberColumns),
  );
  const end = createEndTelling(ctx, table);
  return (claim, signal) => {
    const { podcastId, accountId, site, digest } = claim;
    const row = { ...claim, who: claim.callbackHash };
    return withRow(ctx, table, row, signal, async () => {
      if (digest === null) return await endNeedless(ctx.db, table, row);
      await bodies.use(ctx, { podcastId, accountId, digest }, async (body) => {
        if (body === undefined) return await endUnwanted(ctx.db, table, row);
        // After the wait for the feed, because the claim may have ended.
        const begun = await begin(row);
        if (begun === undefined) return await endNeedless(ctx.db, table, row);
        const request = await requestOf(body, begun.secret);
        const beganAtMs = performance.now();
        const told = await tell(ctx, begun.callback, request, signal);
        slowSites.note(site, performance.now() - beganAtMs);
        // A feed that has changed since the claim is due again.
        await storeTold(ctx, end, { ...begun, row, label: 'subscriber', digest, counts }, told);
        if (told.status === gone) await deleteSubscription(ctx.db, claim);
      });
    });
  };
}

async function requestOf(body: FeedBody, secret: string | null) {
  return {
    method: 'POST',
    headers: await headersOf(body, secret),
    body: body.pieces,
    httpWithinAllowOnly: true,
    ...limits,
  } as const;
}

/** The headers of a delivery (NOTIFY-5, WebSub 7). */
async function headersOf(
  { link, pieces }: FeedBody,
  secret: string | null,
): Promise<Record<string, string>> {
  const headers = {
    'Content-Type': feedContentType,
    ...(link === undefined ? {} : { Link: link }),
  };
  if (secret === null) return headers;
  const signature = await oneAtATime(() => sign(pieces, secret));
  return { ...headers, 'X-Hub-Signature': `sha256=${signature}` };
}

/** Many at once would leave the event loop no time between them. */
const oneAtATime = pLimit(1);

/** A feed of a megabyte takes milliseconds; other tasks run between its pieces. */
async function sign(pieces: readonly Buffer[], secret: string): Promise<string> {
  const hmac = createHmac('sha256', secret);
  for (const piece of pieces) {
    hmac.update(piece);
    await setImmediate();
  }
  return hmac.digest('hex');
}
