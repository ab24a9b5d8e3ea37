/** The RSS feeds we publish. `writeFeed` and `feedChunks` are pure: plain data in, XML out. */

export { buildFeed } from './build-feed.ts';
export type { FeedChannel, FeedItem } from './feed.ts';
export { feedChunks, writeFeed } from './write-feed.ts';
