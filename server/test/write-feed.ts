import type { FeedChannel, FeedItem } from '../src/domain/public/feeds/feed.ts';
import { feedEnd, writeFeedStart } from '../src/domain/public/feeds/write-feed.ts';
import { writeItem } from '../src/domain/public/feeds/write-item.ts';

export type { FeedChannel, FeedItem };

/** Yields one item at a time; items are read once, in order, and not kept. */
export function* feedChunks(channel: FeedChannel, items: Iterable<FeedItem>): Generator<string> {
  yield writeFeedStart(channel);
  for (const item of items) yield writeItem(item);
  yield feedEnd;
}

/** The whole feed as one text. */
export function writeFeed(channel: FeedChannel, items: Iterable<FeedItem>): string {
  return [...feedChunks(channel, items)].join('');
}
