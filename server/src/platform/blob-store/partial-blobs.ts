/** How far a blob has come. */
export interface BlobProgress {
  /** How many bytes from the beginning are durable. */
  readonly sizeBytes: number;
  /** The store needs it to continue. Only the store understands it. */
  readonly state: string;
}

export interface PartialBlob {
  readonly key: string;
  /** The size of the whole blob; at least 1. */
  readonly totalBytes: number;
  readonly progress: BlobProgress;
}

export interface Append extends PartialBlob {
  readonly body: AsyncIterable<Buffer>;
  /**
   * Called with each state that has become durable. If it throws, the append ends. A state may get
   * lost: the next append then begins at the last recorded state.
   */
  readonly record: (progress: BlobProgress) => Promise<void>;
}

/** A blob whose bytes have not all arrived. */
export interface UnfinishedBlob {
  readonly key: string;
  /** What `remove` needs. The size is 0, because the store doesn't say it. */
  readonly progress: BlobProgress;
  /** When it was begun, by the clock of the store's machine. */
  readonly begunAt: Date;
}

/** The stored part of a blob is gone, for example after a backup was restored. */
export class PartialBlobLostError extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`the stored part of ${key} is gone`, options);
    this.name = 'PartialBlobLostError';
  }
}

/**
 * Blobs that arrive in pieces, over days and in several processes. The caller stores the progress of
 * each, and lets only one writer append at a time.
 */
export interface PartialBlobs {
  /**
   * Fails like a full disk if the store knows that it has no room for so many bytes: those of a new
   * blob, and those that are missing of others.
   */
  requireRoom(bytes: number): Promise<void>;
  begin(key: string, totalBytes: number): Promise<BlobProgress>;
  /**
   * If the body fails, the bytes that have arrived are made durable and recorded, and the error is
   * thrown. The body may not be longer than the rest of the blob. Fails like a full disk before the disk
   * is full.
   */
  append(append: Append): Promise<void>;
  /** Call it when all bytes are recorded: it stores the blob at its key. May be called again. */
  finish(partial: PartialBlob): Promise<void>;
  /** Removes everything of it, finished or not. May be called again. */
  remove(partial: Omit<PartialBlob, 'totalBytes'>): Promise<void>;
  /**
   * Unfinished blobs below a folder of keys that `BlobStore.list` does not have, in batches. None if the
   * store can't list them.
   */
  listUnfinished(folder: string): AsyncGenerator<UnfinishedBlob[]>;
}
