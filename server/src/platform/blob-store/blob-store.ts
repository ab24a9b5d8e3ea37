import type { Readable } from 'node:stream';
import type { DiskRoom } from './disk-room.ts';
import type { PartialBlobs } from './partial-blobs.ts';

/** Inclusive byte positions, as in RFC 9110's `bytes=start-end`. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** A blob that is read in pieces. The caller that opened it disposes it. */
export interface OpenBlob extends Disposable {
  readonly sizeBytes: number;
  /**
   * Bytes from `position` on, at most `maxBytes`; without a promise if they are in memory. Empty at
   * the end of the blob. Do not write to the buffer: other readers may share its memory.
   */
  read(position: number, maxBytes: number): Buffer | Promise<Buffer>;
}

export class BlobNotFoundError extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`no blob ${key}`, options);
    this.name = 'BlobNotFoundError';
  }
}

/** The store does not respond or is broken; the blob may well exist. */
export class BlobStoreAwayError extends Error {
  constructor(options: ErrorOptions) {
    super('the file store is not available', options);
    this.name = 'BlobStoreAwayError';
  }
}

/**
 * Who waits for the bytes of a blob: the service, which takes them as they come, or a client, who
 * may read slowly or pause.
 */
export type BlobReader = 'service' | 'client';

export interface ListedBlob {
  readonly key: string;
  readonly sizeBytes: number;
  /** By the clock of the store's machine. */
  readonly storedAt: Date;
}

/** The page size of S3. */
export const mostListedAtOnce = 1_000;

export interface Leftovers {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Storage for audio, images and other large files: a folder, or any S3-compatible store. Keys
 * consist of segments `[a-z0-9][a-z0-9._-]*` joined by `/`; others throw BlobKeyError. A key is
 * written once and its content never changes, so readers need no locks. Of several concurrent puts
 * to one key, the last to finish wins.
 */
export interface BlobStore extends AsyncDisposable {
  /** Stores `body` atomically: readers never see a part, even after a crash. */
  put(key: string, body: Buffer | Readable, contentType: string): Promise<{ sizeBytes: number }>;
  /** Moves (or uploads and removes) a local file into the store. */
  putFile(key: string, path: string, contentType: string): Promise<{ sizeBytes: number }>;
  /**
   * Stores the same bytes under a second key. A remote store copies them itself. Throws
   * BlobNotFoundError.
   */
  copy(from: string, to: string, contentType: string): Promise<{ sizeBytes: number }>;
  readonly partial: PartialBlobs;
  /** Calls `use` with a local file of the bytes. Only read it, and only until `use` ends. */
  withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /**
   * Throws BlobNotFoundError before the first byte if there is no blob, and RangeError if `span`
   * begins at or beyond the end; a span beyond the end is cut. Destroy the stream if you do not
   * read it. Throws BlobStoreAwayError, like `stat`, if a remote store does not respond. Nothing
   * waits for clients, of whom the caller admits at most `mostClients`; the service is the default.
   */
  read(key: string, span?: ByteSpan, reader?: BlobReader): Promise<Readable>;
  /** For how many clients audio may be open at once, and for how many other files. */
  readonly mostClients: number;
  /**
   * Opens a blob that many requests read in pieces; without a promise if it is open already. Fails
   * as `read` does. Only the disk store has it: a remote store would get a request for each piece.
   */
  open?(key: string): OpenBlob | Promise<OpenBlob>;
  stat(key: string): Promise<{ sizeBytes: number } | undefined>;
  /** Deleting a missing blob is not an error. */
  delete(key: string): Promise<void>;
  /**
   * All blobs below a folder of keys, in any order, in batches of at most 1,000, so memory does not
   * grow with their number. May miss concurrent changes.
   */
  list(folder: string): AsyncGenerator<ListedBlob[]>;
  /**
   * Removes leftovers of killed processes after a day: temporary files, blobs of `check`; parts of
   * files in S3 after a week.
   * With `dryRun`, only counts them.
   */
  removeLeftovers(now: Date, options?: { readonly dryRun?: boolean }): Promise<Leftovers>;
  /** For /readyz: rejects if the store cannot be read and written. */
  check(): Promise<void>;
  /**
   * A folder for incoming files (partial downloads), on the store's own disk if it has one. Opening
   * the store removes files that were not touched for a day.
   */
  readonly scratchDir: string;
  /** Room on the disk of `scratchDir`: reserve it before writing there. */
  readonly room: DiskRoom;
}

/** Throws RangeError unless `span` has whole positions and does not end before its start. */
export function assertByteSpan(span: ByteSpan): void {
  const { start, end } = span;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`no bytes from ${start} to ${end}`);
  }
}

const keyForm = /^[a-z0-9][a-z0-9._-]{0,199}(?:\/[a-z0-9][a-z0-9._-]{0,199})*$/;
const longestKey = 512;

export class BlobKeyError extends Error {
  constructor(key: string) {
    super(`${JSON.stringify(key.slice(0, 80))} is not a blob key`);
    this.name = 'BlobKeyError';
  }
}

/**
 * Throws BlobKeyError unless `key` consists of segments `[a-z0-9][a-z0-9._-]*` joined by `/`. No
 * segment can be `.`, `..` or hidden, so a key never leaves the store or reaches its scratch
 * folder.
 */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new BlobKeyError(key);
}

export function isBlobKey(key: string): boolean {
  return key.length <= longestKey && keyForm.test(key);
}
