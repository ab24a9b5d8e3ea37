import { ThreadError } from '../../platform/threads/thread.ts';
import { type BorrowedThread, ThreadReserve } from '../../platform/threads/thread-reserve.ts';
import type { FileError } from '../file-error.ts';
import {
  type Chapter,
  ChaptersError,
  type Segment,
  type Transcript,
  TranscriptError,
} from '../transcripts/index.ts';
import { FeedError } from './feed/feed-error.ts';
import type { ParseFeedOptions } from './feed/parse-feed.ts';
import type { ReadFeed, ReadItem } from './item-texts.ts';
import { refuseImport } from './refuse-import.ts';

const script = new URL('./reader-thread.ts', import.meta.url);
/** An item has at most a few million characters; the rest is for the parser. */
const heapMb = 256;
/** A chunk takes milliseconds, the largest transcript a second. */
const cpuMs = 30_000;
/** Ends a thread that hangs. It is long because a busy machine may delay the thread. */
const answerWithinMs = 15 * 60_000;
/** The items of a chunk of the feed are returned in one message. */
const pieceBytes = 32_768;

/** For the whole process: most imports need a thread two or three times. */
const threads = new ThreadReserve(script, { heapMb, cpuMs, answerWithinMs });

/**
 * Parses feeds, transcripts and chapters in a separate thread, with limited memory and time, and
 * returns them in small chunks, so that hostile ones affect nobody else.
 */
export class ImportReader implements AsyncDisposable {
  readonly #signal: AbortSignal | undefined;
  #thread: BorrowedThread | undefined;
  #transcripts: Promise<unknown> = Promise.resolve();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Throws FeedError, a refusal, the signal's reason, or an error of the source. */
  async feed(source: AsyncIterable<Uint8Array>, options: ParseFeedOptions): Promise<ReadFeed> {
    const items: ReadItem[] = [];
    try {
      await this.#ask('beginFeed', options);
      for await (const piece of piecesOf(source)) {
        const read = await this.#ask<FeedPiece>('feedPiece', piece);
        for (const item of read.items) items.push(item);
        if (read.finished) break;
      }
      const { items: last, ...end } = await this.#ask<ReadFeed>('endFeed', undefined);
      for (const item of last) items.push(item);
      return { ...end, items };
    } catch (error) {
      throw await this.#explain(error, 'feed');
    }
  }

  /** Throws TranscriptError, or the signal's reason. */
  transcript(bytes: Uint8Array, type: string | undefined): Promise<Transcript> {
    // One at a time: the thread keeps a transcript until it is transferred completely.
    const read = this.#transcripts.then(() => this.#readTranscript(bytes, type));
    this.#transcripts = read.catch(() => {});
    return read;
  }

  /** Throws ChaptersError, or the signal's reason. */
  async chapters(bytes: Uint8Array): Promise<Chapter[]> {
    try {
      return await this.#ask<Chapter[]>('chapters', bytes);
    } catch (error) {
      throw await this.#explain(error, 'chapters');
    }
  }

  async #readTranscript(bytes: Uint8Array, type: string | undefined): Promise<Transcript> {
    try {
      const about = await this.#ask<Omit<Transcript, 'segments'>>('transcript', { bytes, type });
      const segments: Segment[] = [];
      for (;;) {
        const piece = await this.#ask<Segment[]>('segmentsFrom', segments.length);
        if (piece.length === 0) return { ...about, segments };
        for (const segment of piece) segments.push(segment);
      }
    } catch (error) {
      throw await this.#explain(error, 'transcript');
    }
  }

  async #explain(error: unknown, what: string): Promise<unknown> {
    if (!(error instanceof ThreadError)) return error instanceof Error ? error : restore(error);
    // A new thread parses the next one.
    await this[Symbol.asyncDispose]();
    if (error.reason === 'ended') return error;
    const message = `Reading the ${what} exceeded the ${error.reason} limit.`;
    return refuseImport('too_large', message, { cause: error });
  }

  #ask<T>(about: string, input: unknown): Promise<T> {
    this.#signal?.throwIfAborted();
    this.#thread ??= threads.borrow(this.#signal);
    return this.#thread.ask<T>(about, input);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.[Symbol.asyncDispose]();
  }
}

interface FeedPiece {
  readonly items: readonly ReadItem[];
  readonly finished: boolean;
}

const kinds = new Map<string, new (reason: never, message: string) => FileError>([
  ['ChaptersError', ChaptersError],
  ['FeedError', FeedError],
  ['TranscriptError', TranscriptError],
]);

/** Errors of a thread come as plain objects. */
function restore(thrown: unknown): Error {
  const { name, message, reason } = thrown as FileError;
  const Kind = kinds.get(name);
  if (Kind === undefined) return new Error('a file could not be read', { cause: thrown });
  return new Kind(reason as never, message);
}

async function* piecesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      // A copy, because a slice would keep the whole chunk in memory.
      yield chunk.slice(at, at + pieceBytes);
    }
  }
}
