/** The RSS feeds we publish. */
export { buildFeed, streamFeed } from './build-feed.ts';
