import type { Readable } from 'node:stream';

/** Inclusive byte positions, as in RFC 9110's `bytes=start-end`. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export class BlobNotFoundError extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`no blob ${key}`, options);
    this.name = 'BlobNotFoundError';
  }
}

/**
 * Where audio, images and other large bytes live: a folder, or any S3-compatible store.
 * Keys are `[a-z0-9][a-z0-9._-]*` segments joined by `/`; anything else throws BlobKeyError.
 * A key is written once; what it holds never changes, so readers need no locks. Of several puts
 * to one key the last to end stands, whole.
 */
export interface BlobStore extends AsyncDisposable {
  /** Stores all of `body` or nothing: a reader never sees a part, not even after a crash. */
  put(key: string, body: Buffer | Readable, contentType: string): Promise<{ sizeBytes: number }>;
  /** Moves (or uploads and removes) a local file into the store. */
  putFile(key: string, path: string, contentType: string): Promise<{ sizeBytes: number }>;
  /**
   * Throws BlobNotFoundError before the first byte when there is none, RangeError when `span`
   * begins at or beyond the end; a span that ends beyond it is cut. Destroy what is not read.
   */
  read(key: string, span?: ByteSpan): Promise<Readable>;
  stat(key: string): Promise<{ sizeBytes: number } | undefined>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** For /readyz: rejects when the store cannot be read and written. */
  check(): Promise<void>;
  /**
   * A folder for files on their way in (half-made downloads), on the store's own disk where it has
   * one. What nobody touched there for a day is removed when the store is opened.
   */
  readonly scratchDir: string;
}
