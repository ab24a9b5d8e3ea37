/** How far a blob has come. */
export interface Growth {
  /** From the beginning, all of them durable. */
  readonly sizeBytes: number;
  /** What the store has to know to go on; of no meaning to anyone else. */
  readonly state: string;
}

export interface Growing {
  readonly key: string;
  /** Of the whole blob; at least 1. */
  readonly totalBytes: number;
  readonly growth: Growth;
}

export interface Append extends Growing {
  readonly body: AsyncIterable<Buffer>;
  /**
   * Called with each state that has become durable. What it throws ends the append. A state that was
   * never recorded is no loss: the append after it begins at the one before.
   */
  readonly record: (growth: Growth) => Promise<void>;
}

/** What a resumed blob was built on is gone, such as a file after a restored backup. */
export class GrowthLostError extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`${key} has lost what had arrived of it`, options);
    this.name = 'GrowthLostError';
  }
}

/**
 * Blobs that arrive in pieces, over days and over several processes. Whoever owns one keeps its
 * `Growth`, and lets one writer at a time append.
 */
export interface GrowingBlobs {
  /** Fails like a full disk if the store knows that it has no room for `totalBytes`. */
  begin(key: string, totalBytes: number): Promise<Growth>;
  /**
   * If the body fails, what had arrived of it is made durable and recorded, and the error is thrown.
   * The body may not be longer than the rest of the blob.
   */
  append(append: Append): Promise<void>;
  /** Once all bytes are recorded: the blob is at its key. May be called again. */
  finish(growing: Growing): Promise<void>;
  /** Removes everything of it, finished or not. May be called again. */
  remove(growing: Omit<Growing, 'totalBytes'>): Promise<void>;
}
