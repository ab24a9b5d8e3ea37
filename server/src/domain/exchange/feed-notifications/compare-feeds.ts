import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { inBatches } from '../../../lib/in-batches.ts';
import { type Context, transact } from '../../foundation/context.ts';
import {
  type ChangeEvent,
  consumeChanges,
  hasUnreadChanges,
} from '../../foundation/outbox/index.ts';
import { renewClaims, Sender, type SendQueue } from '../../foundation/sending/index.ts';
import { findPublicPodcast } from '../../public/catalogue/index.ts';
import { digestFeed } from '../../public/feeds/index.ts';
import { consumePublications, hasNewPublications } from '../../publishing/episodes/index.ts';
import { channelTable, makeChannelsDue } from './feed-notifications.sql.ts';
import {
  type ComparedState,
  type Comparison,
  claimFeeds,
  endComparisons,
  type FeedClaim,
  hasDueFeeds,
  hastenFeeds,
  makeFeedsDue,
  releaseFeed,
  releaseLostFeeds,
} from './feed-states.sql.ts';
import { makeDeliveriesDue, subscriptionTable } from './hub/hub-subscriptions.sql.ts';
import { servedAtFeed } from './served-feed.ts';
import { type ComparedFeed, withdrawTold } from './told-rows.sql.ts';

/** The consumer's name in change_consumers and publication_clocks. */
const consumer = 'feed-notifications';
const changesAtOnce = 500;
/** Comparisons that have begun, or wait for others to be stored with them. */
const comparedAtOnce = 16;
/** A comparison reads a whole feed: the database and this process do it one after another anyway. */
const readAtOnce = 4;
/** The pause after a failure of ours. */
const pauseMs = 5_000;

export interface FeedComparing {
  readonly signal: AbortSignal;
  /** The ids of the channels in use. */
  readonly channels: readonly string[];
  /** Called after a feed has changed. */
  readonly onChange: () => void;
}

/** Finds which feeds may have changed, compares them, and makes channels due for those that have. */
export function createFeedComparer(
  ctx: Context,
  comparing: FeedComparing,
): Sender<'regular', FeedClaim> {
  const { signal } = comparing;
  const queue: SendQueue<'regular', FeedClaim> = {
    delayed: 'notifications of feeds are delayed',
    places: { regular: comparedAtOnce },
    async schedule() {
      if (await hasUnreadChanges(ctx, consumer)) await scheduleForChanges(ctx, signal);
    },
    async findDue() {
      if (await hasNewPublications(ctx, consumer)) await scheduleForPublications(ctx, signal);
      return (await hasDueFeeds(ctx.db, ctx.clock.now())) ? ['regular'] : [];
    },
    claim: (_, request) => claimFeeds(ctx.db, request),
    renew: (ids, until) => renewClaims(ctx.db, 'feed_states', ids, until),
    releaseLost: (now) => releaseLostFeeds(ctx.db, now),
    tidy: (now) => hastenFeeds(ctx.db, now),
    send: createCompare(ctx, comparing),
  };
  return new Sender(ctx, queue, signal);
}

async function scheduleForChanges(ctx: Context, signal: AbortSignal): Promise<void> {
  const schedule = async (tx: Context, changes: readonly ChangeEvent[]) => {
    const podcastIds = new Set<string>();
    const accountIds = new Set<string>();
    for (const { kind, podcastId, accountId } of changes) {
      if (accountId !== null) accountIds.add(accountId);
      else if (podcastId !== null && !kind.startsWith('membership.')) podcastIds.add(podcastId);
    }
    const concerned = { podcastIds: [...podcastIds], accountIds: [...accountIds] };
    await makeFeedsDue(tx.db, concerned, tx.clock.now());
  };
  while (!signal.aborted) {
    const consumed = await consumeChanges(ctx, consumer, changesAtOnce, schedule);
    if (consumed < changesAtOnce) return;
  }
}

/**
 * A feed is due at the time at which this process saw the publication, so a process whose clock is
 * behind does not compare it too early.
 */
function scheduleForPublications(ctx: Context, signal: AbortSignal): Promise<void> {
  const schedule = (tx: Context, podcastIds: readonly string[]) =>
    makeFeedsDue(tx.db, { podcastIds }, tx.clock.now());
  return consumePublications(ctx, consumer, schedule, { signal });
}

/** Compares a feed, and makes those due who were notified of another one. */
function createCompare(
  ctx: Context,
  { channels, onChange }: FeedComparing,
): (claim: FeedClaim, signal: AbortSignal) => Promise<void> {
  const reading = pLimit(readAtOnce);
  const store = inBatches(
    { mostAtOnce: comparedAtOnce },
    async (comparisons: readonly Comparison[]) => {
      const hasChanged = await transact(ctx, (tx) => storeComparisons(tx, comparisons, channels));
      if (hasChanged) onChange();
      return comparisons.map(() => undefined);
    },
  );
  return async (claim, signal) => {
    try {
      const state = await reading(() => readFeedState(ctx, claim.podcastId));
      await store({ claim, state });
    } catch (error) {
      // If the database is away, the feed becomes due again when the claim ends.
      const dueAt = new Date(ctx.clock.now().getTime() + (signal.aborted ? 0 : pauseMs));
      await releaseFeed(ctx.db, claim, dueAt).catch(() => undefined);
      throw error;
    }
  };
}

/** True if a public feed has changed. */
async function storeComparisons(
  tx: Context,
  comparisons: readonly Comparison[],
  channels: readonly string[],
): Promise<boolean> {
  const now = tx.clock.now();
  const hidden: string[] = [];
  const open: ComparedFeed[] = [];
  for (const ended of await endComparisons(tx.db, comparisons, now)) {
    const { podcastId, digest, hasChanged } = ended;
    if (hasChanged === undefined) continue;
    if (digest === null) hidden.push(podcastId);
    else open.push({ podcastId, digest, hasChanged });
  }
  if (hidden.length > 0) {
    await withdrawTold(tx.db, channelTable, hidden);
    await withdrawTold(tx.db, subscriptionTable, hidden);
  }
  if (open.length > 0) {
    await makeChannelsDue(tx.db, open, channels, now);
    await makeDeliveriesDue(tx.db, open, now);
  }
  return open.some(({ hasChanged }) => hasChanged);
}

/** Of what the public gets at the feed's URL, including a redirect. */
async function readFeedState(ctx: Context, podcastId: string): Promise<ComparedState> {
  const show = await findPublicPodcast(ctx, podcastId);
  const served = await servedAtFeed(ctx, show);
  if (served.kind === 'nothing') return { digest: null, nextChangeAt: null };
  if (served.kind === 'feed') {
    // Publications have a clock of their own.
    const { digest, nextExpiryAt } = await digestFeed(ctx, served.show);
    return { digest, nextChangeAt: nextExpiryAt };
  }
  const digest = createHash('sha256').update(`moved to ${served.location}`).digest();
  return { digest, nextChangeAt: null };
}
