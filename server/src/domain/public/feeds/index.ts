/** The RSS feeds we publish. */
export { buildFeed } from './build-feed.ts';
