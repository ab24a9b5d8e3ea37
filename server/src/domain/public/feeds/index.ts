/** The RSS feeds we publish. */
export { buildFeed, digestFeed, streamFeed } from './build-feed.ts';
