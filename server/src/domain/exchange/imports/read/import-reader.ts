import type { JobLimits, ProcessError } from '../../../../platform/processes/job.ts';
import {
  type ReadingContext,
  readForeign,
  readForeignPart,
} from '../../../foundation/read-foreign.ts';
import { refuseImport } from '../refuse-import.ts';
import { FeedError } from './feed/feed-error.ts';
import type { ParseFeedOptions } from './feed/parse-feed.ts';
import type { ReadFeed, ReadItem } from './item-texts.ts';
import type { FeedPart } from './reader-tasks.ts';

const module = new URL('./reader-tasks.ts', import.meta.url);
const MB = 1024 * 1024;
const shortLimits: JobLimits = {
  ...{ memoryMb: 512, cpuMs: 30_000, wallMs: 5 * 60_000, resultBytes: 64 * MB },
};
/** A show of 100,000 episodes takes a minute. */
const feedLimits: JobLimits = {
  ...{ memoryMb: 512, cpuMs: 240_000, wallMs: 15 * 60_000, resultBytes: 512 * MB },
};
/** A larger one may take more than a few seconds. */
const longFeedBytes = 10 * MB;

interface FeedOptions extends ParseFeedOptions {
  readonly sizeBytes: number;
}

/**
 * Reads feeds in child processes, and gets the results in small parts, so that hostile ones affect
 * nobody else.
 */
export class ImportReader {
  readonly #ctx: ReadingContext;
  readonly #signal: AbortSignal | undefined;

  constructor(ctx: ReadingContext, signal?: AbortSignal) {
    this.#ctx = ctx;
    this.#signal = signal;
  }

  /** Throws FeedError, a refusal, the signal's reason, or an error of the source. */
  async feed(
    source: AsyncIterable<Uint8Array>,
    { sizeBytes, ...input }: FeedOptions,
  ): Promise<ReadFeed> {
    const items: ReadItem[] = [];
    let end: FeedPart['end'];
    const job = { task: 'feed', input, files: [() => source], limits: feedLimits };
    const isLong = sizeBytes > longFeedBytes;
    await readForeign(this.#ctx, { ...this.#feedJob, ...job, isLong }, (part) => {
      const read = part as FeedPart;
      for (const item of read.items) items.push(item);
      end = read.end;
    });
    if (end === undefined) throw new Error('the end of the feed is missing');
    return { ...end, items };
  }

  /** Throws FeedError if a document that begins so is not a feed. */
  async feedBeginning(bytes: Uint8Array, input: ParseFeedOptions): Promise<void> {
    const job = { task: 'feedBeginning', input, files: [bytes], limits: shortLimits };
    await readForeign(this.#ctx, { ...this.#feedJob, ...job }, () => {});
  }

  /** The URLs of the feeds that a web page names. */
  feedLinks(bytes: Uint8Array, pageUrl: string | undefined): Promise<readonly string[]> {
    const job = { task: 'feedLinks', input: { pageUrl }, files: [bytes] };
    return readForeignPart(this.#ctx, { ...this.#feedJob, ...job, limits: shortLimits });
  }

  get #feedJob() {
    return { module, refusals: [FeedError], refuse: refuseFeed, signal: this.#signal };
  }
}

function refuseFeed(cause: ProcessError): Error {
  return refuseImport('too_large', 'The feed takes too much memory or time to read.', { cause });
}
