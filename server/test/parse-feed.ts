import {
  FeedReader,
  type ParseFeedOptions,
} from '../src/domain/exchange/imports/read/feed/parse-feed.ts';
import type { ParsedFeed } from '../src/domain/exchange/imports/read/feed/parsed-feed.ts';

export type FeedSource = AsyncIterable<Buffer | string> | Buffer | string;

/** The number of bytes that are decoded at once, so that limits work with a buffer of any size. */
const SLICE_BYTES = 65_536;

/** Reads a whole source in this thread. Throws the errors of the source. */
export async function parseFeed(
  source: FeedSource,
  options: ParseFeedOptions = {},
): Promise<ParsedFeed> {
  const reader = new FeedReader(options);
  for await (const chunk of asChunks(source)) {
    reader.write(chunk);
    if (reader.finished) break;
  }
  const end = reader.end();
  return { ...end, items: reader.takeItems() };
}

async function* asChunks(source: FeedSource): AsyncGenerator<Buffer | string> {
  const chunks = typeof source === 'string' || Buffer.isBuffer(source) ? [source] : source;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      yield typeof chunk === 'string'
        ? chunk.slice(at, at + SLICE_BYTES)
        : chunk.subarray(at, at + SLICE_BYTES);
    }
  }
}
