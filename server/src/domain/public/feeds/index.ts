/** The RSS feeds we publish. */
export { buildFeed, digestFeed, streamFeed } from './build-feed.ts';
export { findFeedMove } from './feed-move.ts';
export { buildServedFeed, feedContentType, feedCursorScope, feedLinkHeader } from './feed-pages.ts';
