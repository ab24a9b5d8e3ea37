import { LRUCache } from 'lru-cache';
import { feedUrl } from '../../../foundation/addresses.ts';
import type { Context } from '../../../foundation/context.ts';
import { findPublicPodcast } from '../../../public/catalogue/index.ts';
import { buildServedFeed } from '../../../public/feeds/index.ts';
import { servedAtFeed } from '../served-feed.ts';

/** Together. A larger one is still shared by the deliveries that wait for it. */
const mostKeptBytes = 64 * 1024 * 1024;
const keptMs = 60_000;

/** A feed as it is served, shared by all deliveries. */
export interface FeedBody {
  readonly url: string;
  readonly pieces: readonly Buffer[];
}

/** The feeds that are being delivered: each is written once for all subscribers. */
export class FeedBodies {
  readonly #kept = new LRUCache<string, FeedBody>({
    maxSize: mostKeptBytes,
    sizeCalculation: ({ pieces }) => pieces.reduce((sum, { length }) => sum + length, 1),
    ttl: keptMs,
  });
  readonly #building = new Map<string, Promise<FeedBody | undefined>>();

  /** The feed of a show, as it was when it had this digest or later; undefined: it has none now. */
  async get(ctx: Context, podcastId: string, digest: Buffer): Promise<FeedBody | undefined> {
    const key = `${podcastId} ${digest.toString('base64')}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const known = this.#building.get(key);
    if (known !== undefined) return known;
    const building = buildBody(ctx, podcastId).finally(() => this.#building.delete(key));
    this.#building.set(key, building);
    const body = await building;
    if (body !== undefined) this.#kept.set(key, body);
    return body;
  }
}

async function buildBody(ctx: Context, podcastId: string): Promise<FeedBody | undefined> {
  const show = await findPublicPodcast(ctx, podcastId);
  if (show === undefined || servedAtFeed(show) !== 'feed') return undefined;
  const pieces = await buildServedFeed(ctx, show, undefined);
  return { url: feedUrl(ctx.installation, show), pieces };
}
