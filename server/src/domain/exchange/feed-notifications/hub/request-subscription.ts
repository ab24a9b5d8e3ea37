import { createHash } from 'node:crypto';
import { feedUrl } from '../../../foundation/addresses.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { DomainError } from '../../../foundation/errors.ts';
import { findCurrentSlug, findPublicPodcast } from '../../../public/catalogue/index.ts';
import { findSlugAtDomain } from '../../../publishing/podcasts/index.ts';
import { servedAtFeed } from '../served-feed.ts';
import { type HubFields, type HubRequest, readHubRequest, unknownTopic } from './hub-request.ts';
import {
  countWaitingRequests,
  hasSubscription,
  putHubRequest,
  takeTurnOfHost,
} from './hub-requests.sql.ts';

/**
 * How many callbacks may wait to be asked, and those of one registered domain among them (NOTIFY-13). One
 * client can't add as many as are asked in that time (LIM-23).
 */
const mostWaiting = { all: 10_000, ofSite: 500 };

/**
 * Accepts a request of anybody to subscribe to a feed, or to end a subscription. Nothing changes until
 * the callback has confirmed it, for which a worker asks it. Throws with the reason.
 */
export async function requestSubscription(ctx: Context, fields: HubFields): Promise<void> {
  const { baseUrl, feedNotifications } = ctx.installation;
  const { ownHub } = feedNotifications;
  if (ownHub === undefined) throw new DomainError('not_found', 'There is no hub here.');
  const request = readHubRequest(fields, { baseUrl, allowsHttp: ownHub.allowsHttp });
  const podcastId = await findTopic(ctx, request);
  const callbackHash = createHash('sha256').update(request.callback).digest();
  // Nobody is asked in vain. The response is the same, so that nobody learns of subscriptions.
  const isNeeded =
    request.mode === 'subscribe' || (await hasSubscription(ctx.db, podcastId, callbackHash));
  if (!isNeeded) return;
  const waiting = await countWaitingRequests(ctx.db, request.host, mostWaiting.all);
  if (waiting.all >= mostWaiting.all)
    throw new DomainError('service_unavailable', 'Too many subscriptions wait to be confirmed.');
  if (waiting.ofSite >= mostWaiting.ofSite) throw tooManyOf('domain');
  await transact(ctx, async (tx) => {
    const now = tx.clock.now();
    const turnAt = await takeTurnOfHost(tx.db, request.host, now);
    if (turnAt === undefined) throw tooManyOf('host');
    await putHubRequest(tx.db, podcastId, callbackHash, request, { turnAt, now });
  });
}

function tooManyOf(part: 'host' | 'domain'): DomainError {
  const message = `Too many requests for this ${part} of hub.callback. Try again in a minute.`;
  return new DomainError('rate_limited', message, { retryAfterSeconds: 60 });
}

/**
 * The show whose feed is at this URL, of BASE_URL with a present or former slug, or of its own domain, if that
 * feed is public.
 */
async function findTopic(ctx: Context, { topic, slug }: HubRequest): Promise<string> {
  const named = slug ?? (await findSlugAtDomain(ctx, topic));
  const current = named === undefined ? undefined : await findCurrentSlug(ctx, named);
  const show = current && (await findPublicPodcast(ctx, current.podcastId));
  if (show === undefined || (await servedAtFeed(ctx, show)).kind !== 'feed') throw unknownTopic();
  const isItsFeed =
    slug !== undefined || URL.parse(topic)?.href === feedUrl(ctx.installation, show);
  if (!isItsFeed) throw unknownTopic();
  return show.id;
}
