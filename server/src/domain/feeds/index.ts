/** The RSS feeds we publish. `writeFeed` and `feedChunks` are pure: plain data in, XML out. */

export type {
  FeedCategory,
  FeedChannel,
  FeedEnclosure,
  FeedItem,
  FeedPaging,
  FeedPerson,
  FeedTrailer,
  FeedTranscript,
} from './feed.ts';
export { feedChunks, writeFeed } from './write-feed.ts';
