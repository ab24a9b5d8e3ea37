/** The RSS feeds we publish. */
export { buildFeed, digestFeed, streamFeed } from './build-feed.ts';
export { findFeedOrMove } from './feed-move.ts';
export { buildServedFeed, feedContentType, feedCursorScope, feedLinkHeader } from './feed-pages.ts';
