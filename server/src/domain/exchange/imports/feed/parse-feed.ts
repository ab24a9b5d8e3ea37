import { type ByteDecoder, createByteDecoder } from './decode-bytes.ts';
import { FeedError } from './feed-error.ts';
import { DEFAULT_FEED_LIMITS, type FeedLimits } from './feed-limits.ts';
import { FeedParser } from './feed-parser.ts';
import { ItemCollector } from './item-collector.ts';
import type { ParsedFeed, ParsedItem } from './parsed-feed.ts';
import { readChannel } from './read-podcast.ts';
import { unescapePodcast } from './unescape-lines.ts';

export interface ParseFeedOptions {
  /** The `charset` that came with the document, if any. */
  readonly charset?: string | undefined;
  readonly limits?: Partial<FeedLimits> | undefined;
  /** Where the feed is: enclosures may be relative to it. */
  readonly baseUrl?: string | undefined;
}

/**
 * Reads an RSS feed (2.0, or the older 0.9 and 1.0) piece by piece. Text is used as it is; bytes
 * are decoded. Throws `FeedError` for documents that are not a feed or exceed `limits`.
 */
export class FeedReader {
  readonly #limits: FeedLimits;
  readonly #collector = new ItemCollector();
  readonly #parser: FeedParser;
  readonly #decoder: ByteDecoder;
  #totalBytes = 0;

  constructor(options: ParseFeedOptions = {}) {
    this.#limits = { ...DEFAULT_FEED_LIMITS, ...options.limits };
    this.#parser = new FeedParser(this.#limits, (item, end) => {
      const { unread, isOurs } = this.#parser;
      this.#collector.add(item, end, { unread, isOurs, base: options.baseUrl });
    });
    this.#decoder = createByteDecoder(options.charset);
  }

  /** The feed has ended, even if the source has more. */
  get finished(): boolean {
    return this.#parser.finished;
  }

  write(chunk: Buffer | string): void {
    this.#totalBytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    const { totalBytes } = this.#limits;
    if (this.#totalBytes > totalBytes) {
      throw new FeedError('too_large', `The feed is larger than ${totalBytes} bytes.`);
    }
    this.#parser.write(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk));
  }

  /** The items that have ended since the last call. */
  takeItems(): ParsedItem[] {
    return this.#collector.items.splice(0);
  }

  /**
   * The rest of the result, when everything has been read. Call `takeItems` once more afterwards.
   */
  end(): Omit<ParsedFeed, 'items'> {
    this.#parser.write(this.#decoder.end());
    const { channel, truncated } = this.#parser.end();
    const { unread, isOurs } = this.#parser;
    const read = readChannel(channel, unread);
    const podcast = isOurs ? read : unescapePodcast(read);
    return { podcast, problems: this.#collector.problems, unread: unread.list(), truncated };
  }
}
