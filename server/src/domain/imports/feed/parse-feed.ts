import { setImmediate } from 'node:timers/promises';
import { createByteDecoder } from './decode-bytes.ts';
import { FeedError } from './feed-error.ts';
import { DEFAULT_FEED_LIMITS, type FeedLimits } from './feed-limits.ts';
import { FeedParser } from './feed-parser.ts';
import { ItemCollector } from './item-collector.ts';
import type { ParsedFeed } from './parsed-feed.ts';
import { readPodcast } from './read-podcast.ts';

export interface ParseFeedOptions {
  /** The `charset` that came with the document, if any. */
  readonly charset?: string | undefined;
  readonly limits?: Partial<FeedLimits> | undefined;
}

export type FeedSource = AsyncIterable<Buffer | string> | Buffer | string;

/** Bytes looked at in one go, so that limits are kept within a buffer of any size. */
const SLICE_BYTES = 65_536;
const PAUSE_BYTES = 8 * SLICE_BYTES;

/**
 * Reads an RSS feed (2.0, and what is left of 0.9 and 1.0) as it comes in. Text is taken as it is;
 * bytes are decoded. Stops at the end of the feed, whatever else the source has.
 * Throws `FeedError` for what is no feed or more than `limits` allow; errors of the source pass.
 */
export async function parseFeed(
  source: FeedSource,
  options: ParseFeedOptions = {},
): Promise<ParsedFeed> {
  const limits = { ...DEFAULT_FEED_LIMITS, ...options.limits };
  const collector = new ItemCollector();
  const parser = new FeedParser(limits, (item, end) => collector.add(item, end));
  const decoder = createByteDecoder(options.charset);
  let totalBytes = 0;
  for await (const chunk of asChunks(source)) {
    totalBytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    if (totalBytes > limits.totalBytes) {
      throw new FeedError('too_large', `The feed is larger than ${limits.totalBytes} bytes.`);
    }
    parser.write(typeof chunk === 'string' ? chunk : decoder.write(chunk));
    if (parser.finished) break;
  }
  parser.write(decoder.end());
  const { channel, truncated } = parser.end();
  const { items, problems } = collector;
  return { podcast: readPodcast(channel), items, problems, truncated };
}

/** A source that has it all at hand would keep the event loop to itself: it is let go in between. */
async function* asChunks(source: FeedSource): AsyncGenerator<Buffer | string> {
  const chunks = typeof source === 'string' || Buffer.isBuffer(source) ? [source] : source;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      if (at % PAUSE_BYTES === 0) await setImmediate();
      yield typeof chunk === 'string'
        ? chunk.slice(at, at + SLICE_BYTES)
        : chunk.subarray(at, at + SLICE_BYTES);
    }
  }
}
