/** The RSS feeds we publish. */
export { buildFeed, digestFeed, streamFeed } from './build-feed.ts';
export { buildServedFeed, feedContentType, feedCursorScope } from './feed-pages.ts';
