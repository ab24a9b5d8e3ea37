import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Context } from '../../../foundation/context.ts';
import { findPublicPodcast } from '../../../public/catalogue/index.ts';
import { buildServedFeed, feedLinkHeader } from '../../../public/feeds/index.ts';
import { servedAtFeed } from '../served-feed.ts';

/** Of the feeds that are being delivered: beyond this, the next one waits. A feed has 20 MB at most. */
const mostUsedBytes = 64 * 1024 * 1024;
/** And of one account: more than most feeds have, and little of the whole. */
const mostBytesOfAccount = 8 * 1024 * 1024;
/** Of those that were, for the next claims. */
const mostKeptBytes = 32 * 1024 * 1024;
const keptMs = 60_000;

/** A feed as it is served, shared by all deliveries. */
export interface FeedBody {
  /** Its `Link` header; undefined: there is no hub any more. */
  readonly link: string | undefined;
  readonly pieces: readonly Buffer[];
}

/** What one account has of the feeds that are being delivered. */
interface Share {
  readonly turns: LimitFunction;
  feeds: number;
  bytes: number;
}

interface UsedBody {
  readonly accountId: string;
  readonly share: Share;
  users: number;
  bytes: number;
  value?: FeedBody | undefined;
  readonly written: Promise<FeedBody | undefined>;
}

const sizeOf = (body: FeedBody | undefined) =>
  (body?.pieces ?? []).reduce((sum, { length }) => sum + length, 1);

interface FeedUse {
  readonly podcastId: string;
  readonly accountId: string;
  readonly digest: Buffer;
}

/** The feeds that are being delivered: each is written once for all subscribers. */
export class FeedBodies {
  readonly #used = new Map<string, UsedBody>();
  readonly #kept = new LRUCache<string, FeedBody>({
    maxSize: mostKeptBytes,
    sizeCalculation: sizeOf,
    ttl: keptMs,
  });
  readonly #writing = pLimit(1);
  readonly #shares = new Map<string, Share>();
  #usedBytes = 0;
  #freed = Promise.withResolvers<void>();

  /**
   * Calls `work` with the feed of a show, as it was when it had this digest or later; undefined: the
   * show has none now. It may wait until others are delivered.
   */
  async use<T>(
    ctx: Context,
    { podcastId, accountId, digest }: FeedUse,
    work: (body: FeedBody | undefined) => Promise<T>,
  ): Promise<T> {
    const key = `${podcastId} ${digest.toString('base64')}`;
    const used = this.#used.get(key) ?? this.#begin(ctx, key, { podcastId, accountId });
    used.users += 1;
    try {
      return await work(await used.written);
    } finally {
      used.users -= 1;
      if (used.users === 0) this.#end(key, used);
    }
  }

  #begin(ctx: Context, key: string, { podcastId, accountId }: Omit<FeedUse, 'digest'>): UsedBody {
    const share = this.#shares.get(accountId) ?? { turns: pLimit(1), feeds: 0, bytes: 0 };
    this.#shares.set(accountId, share);
    share.feeds += 1;
    const write = async () => {
      while (this.#usedBytes >= mostUsedBytes) await this.#freed.promise;
      const body = this.#kept.get(key) ?? (await writeBody(ctx, podcastId));
      used.value = body;
      used.bytes = sizeOf(body);
      this.#usedBytes += used.bytes;
      share.bytes += used.bytes;
      return body;
    };
    // Whoever has used up the own share waits before the line of all.
    const written = share.turns(async () => {
      while (share.bytes >= mostBytesOfAccount) await this.#freed.promise;
      return await this.#writing(write);
    });
    const used: UsedBody = { accountId, share, users: 0, bytes: 0, written };
    this.#used.set(key, used);
    return used;
  }

  #end(key: string, { accountId, share, bytes, value }: UsedBody): void {
    this.#used.delete(key);
    this.#usedBytes -= bytes;
    share.bytes -= bytes;
    share.feeds -= 1;
    if (share.feeds === 0) this.#shares.delete(accountId);
    this.#freed.resolve();
    this.#freed = Promise.withResolvers();
    if (value !== undefined) this.#kept.set(key, value);
  }
}

async function writeBody(ctx: Context, podcastId: string): Promise<FeedBody | undefined> {
  const served = await servedAtFeed(ctx, await findPublicPodcast(ctx, podcastId));
  if (served.kind !== 'feed') return undefined;
  const pieces = await buildServedFeed(ctx, served.show, undefined);
  return { link: feedLinkHeader(ctx.installation, served.show), pieces };
}
