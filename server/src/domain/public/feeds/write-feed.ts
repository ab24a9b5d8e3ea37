import type { FeedChannel } from './feed.ts';
import { writeChannel } from './write-channel.ts';

const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
].join(' ');

/**
 * Everything before the items. The feed is RSS 2.0 that meets the requirements of Apple, PSP-1 and
 * the Podcasting 2.0 namespace, and is always well-formed.
 */
export function writeFeedStart(channel: FeedChannel): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${NAMESPACES}>\n<channel>\n`;
  return start + writeChannel(channel);
}

export const feedEnd = '</channel>\n</rss>\n';
