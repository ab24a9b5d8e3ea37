import type { JobLimits, ProcessError } from '../../../../platform/processes/job.ts';
import {
  type ReadingContext,
  readForeign,
  readForeignPart,
} from '../../../foundation/read-foreign.ts';
import { refuseImport } from '../refuse-import.ts';
import { FeedError } from './feed/feed-error.ts';
import type { ParseFeedOptions } from './feed/parse-feed.ts';
import type { ItemSpool, SpooledPart } from './item-spool.ts';
import type { ReadPage } from './read-feed.ts';
import type { FeedPart } from './reader-tasks.ts';

const module = new URL('./reader-tasks.ts', import.meta.url);
const MB = 1024 * 1024;
const shortLimits: JobLimits = {
  ...{ memoryMb: 512, cpuMs: 30_000, wallMs: 5 * 60_000, resultBytes: 64 * MB },
};
/** A show of 100,000 episodes takes a minute. The spool has a limit of its own. */
const feedLimits: JobLimits = {
  ...{ memoryMb: 512, cpuMs: 240_000, wallMs: 15 * 60_000, resultBytes: 1024 * MB },
};
/** A larger one may take more than a few seconds. */
const longFeedBytes = 10 * MB;

interface FeedOptions extends ParseFeedOptions {
  readonly sizeBytes: number;
}

type Spool = Pick<ItemSpool, 'add' | 'count' | 'requireMemory'>;

/**
 * Reads feeds in child processes, and spools their items in small parts, so that hostile ones affect
 * nobody else.
 */
export class ImportReader {
  readonly #ctx: ReadingContext;
  readonly #spool: Spool | undefined;
  readonly #signal: AbortSignal | undefined;

  /** `spool` undefined: nobody wants the items. */
  constructor(ctx: ReadingContext, spool: Spool | undefined, signal?: AbortSignal) {
    this.#ctx = ctx;
    this.#spool = spool;
    this.#signal = signal;
  }

  /** Throws FeedError, a refusal, the signal's reason, or an error of the source. */
  async feed(
    source: AsyncIterable<Uint8Array>,
    { sizeBytes, ...input }: FeedOptions,
  ): Promise<ReadPage> {
    const parts: SpooledPart[] = [];
    let [heldBytes, hasAudio] = [0, false];
    let end: FeedPart['end'];
    const job = { task: 'feed', input, files: [() => source], limits: feedLimits };
    const isLong = sizeBytes > longFeedBytes;
    await readForeign(this.#ctx, { ...this.#feedJob, ...job, isLong }, async (part) => {
      const read = part as FeedPart;
      heldBytes += read.heldBytes;
      hasAudio ||= read.hasAudio;
      end = read.end;
      if (this.#spool === undefined) return;
      this.#spool.requireMemory(heldBytes);
      parts.push(await this.#spool.add(read));
    });
    if (end === undefined) throw new Error('the end of the feed is missing');
    this.#spool?.count(heldBytes);
    return { ...end, parts, heldBytes, hasAudio };
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
