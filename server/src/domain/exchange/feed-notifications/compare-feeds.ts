import { createHash } from 'node:crypto';
import { type Context, transact } from '../../foundation/context.ts';
import {
  type ChangeEvent,
  consumeChanges,
  hasUnreadChanges,
} from '../../foundation/outbox/index.ts';
import { Sender, type SendQueue } from '../../foundation/sending/index.ts';
import { findPublicPodcast } from '../../public/catalogue/index.ts';
import { digestFeed } from '../../public/feeds/index.ts';
import { consumePublications, hasNewPublications } from '../../publishing/episodes/index.ts';
import { getPodcast, nextExpiryOf } from '../../publishing/podcasts/index.ts';
import { makeChannelsDue, withdrawNotifications } from './feed-notifications.sql.ts';
import {
  type ComparedState,
  claimFeeds,
  endComparison,
  type FeedClaim,
  hasDueFeeds,
  makeFeedsDue,
  releaseFeed,
  releaseLostFeeds,
} from './feed-states.sql.ts';
import { makeDeliveriesDue, withdrawDeliveries } from './hub/hub-subscriptions.sql.ts';
import { servedAtFeed } from './served-feed.ts';

/** The consumer's name in change_consumers and publication_clocks. */
const consumer = 'feed-notifications';
const changesAtOnce = 500;
/** A comparison reads a whole feed: the database and this process do it one after another anyway. */
const comparedAtOnce = 4;
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
  { signal, channels, onChange }: FeedComparing,
): Sender<'regular', FeedClaim> {
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
    releaseLost: (now) => releaseLostFeeds(ctx.db, now),
    async send(claim) {
      if (await compareFeed(ctx, claim, { channels, signal })) onChange();
    },
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

/** True if the feed has changed and is public. */
async function compareFeed(
  ctx: Context,
  claim: FeedClaim,
  { channels, signal }: Pick<FeedComparing, 'channels' | 'signal'>,
): Promise<boolean> {
  try {
    const state = await readFeedState(ctx, claim.podcastId);
    const { digest } = state;
    return await transact(ctx, async (tx) => {
      const now = tx.clock.now();
      const hasChanged = await endComparison(tx.db, claim, state, now);
      if (hasChanged === undefined) return false;
      const { podcastId } = claim;
      if (digest === null) {
        await withdrawNotifications(tx.db, podcastId);
        await withdrawDeliveries(tx.db, podcastId);
        return false;
      }
      const compared = { podcastId, digest, hasChanged };
      await makeChannelsDue(tx.db, compared, channels, now);
      await makeDeliveriesDue(tx.db, compared, now);
      return hasChanged;
    });
  } catch (error) {
    // If the database is away, the feed becomes due again when the claim ends.
    const dueAt = new Date(ctx.clock.now().getTime() + (signal.aborted ? 0 : pauseMs));
    await releaseFeed(ctx.db, claim, dueAt).catch(() => undefined);
    throw error;
  }
}

/** Of what the public gets at the feed's URL, including a redirect. */
async function readFeedState(ctx: Context, podcastId: string): Promise<ComparedState> {
  const show = await findPublicPodcast(ctx, podcastId);
  const served = servedAtFeed(ctx.installation, show);
  if (show === undefined || served === 'nothing') return { digest: null, nextChangeAt: null };
  if (served === 'feed') {
    // Publications have a clock of their own.
    const { extraElements } = await getPodcast(ctx, podcastId);
    const nextChangeAt = nextExpiryOf(extraElements, ctx.clock.now());
    return { digest: await digestFeed(ctx, show), nextChangeAt };
  }
  const digest = createHash('sha256').update(`moved to ${show.newFeedUrl}`).digest();
  return { digest, nextChangeAt: null };
}
