import type { FeedChannel, FeedItem } from './feed.ts';
import { writeChannel } from './write-channel.ts';
import { writeItem } from './write-item.ts';

const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
].join(' ');

const START = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${NAMESPACES}>\n<channel>\n`;
const END = '</channel>\n</rss>\n';

/**
 * The feed as RSS 2.0, by Apple's requirements, PSP-1 and the Podcasting 2.0 namespace: always
 * well-formed, whatever the texts hold. In pieces of one item each; the items are read once, in
 * their order, and none is held.
 */
export function* feedChunks(channel: FeedChannel, items: Iterable<FeedItem>): Generator<string> {
  yield START + writeChannel(channel);
  for (const item of items) yield writeItem(item);
  yield END;
}

/** The whole feed as one text; a page of it is at most a few thousand items. */
export function writeFeed(channel: FeedChannel, items: Iterable<FeedItem>): string {
  let xml = '';
  for (const chunk of feedChunks(channel, items)) xml += chunk;
  return xml;
}
