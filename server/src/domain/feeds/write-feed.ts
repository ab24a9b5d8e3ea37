import type { FeedChannel, FeedItem } from './feed.ts';
import { writeChannel } from './write-channel.ts';
import { writeItem } from './write-item.ts';

const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
].join(' ');

/** Everything before the items. */
export function writeFeedStart(channel: FeedChannel): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${NAMESPACES}>\n<channel>\n`;
  return start + writeChannel(channel);
}

export const feedEnd = '</channel>\n</rss>\n';

/**
 * Writes the feed as RSS 2.0 that meets the requirements of Apple, PSP-1 and the Podcasting 2.0
 * namespace, and is always well-formed. Yields one item at a time; items are read once, in order,
 * and not kept.
 */
export function* feedChunks(channel: FeedChannel, items: Iterable<FeedItem>): Generator<string> {
  yield writeFeedStart(channel);
  for (const item of items) yield writeItem(item);
  yield feedEnd;
}

/** The whole feed as one text; a page has at most a few thousand items. */
export function writeFeed(channel: FeedChannel, items: Iterable<FeedItem>): string {
  let xml = '';
  for (const chunk of feedChunks(channel, items)) xml += chunk;
  return xml;
}
