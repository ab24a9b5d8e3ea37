import type { Measure } from '../../lib/measured-stream.ts';
import type { BlobStore } from './blob-store.ts';

/** What a repository of backups needs of a folder or a bucket: see `BlobStore`. */
export interface BackupStore extends Pick<BlobStore, 'read' | 'list'>, AsyncDisposable {
  /** The signal ends the wait for a folder that doesn't answer; buckets have limits of their own. */
  put(
    key: string,
    body: Buffer,
    contentType: string,
    signal?: AbortSignal | undefined,
  ): Promise<unknown>;
  /** Writes some bytes that say that somebody is at work. In a folder, also into the reserve of its disk. */
  mark(key: string, signal?: AbortSignal | undefined): Promise<unknown>;
  delete(key: string, signal?: AbortSignal | undefined): Promise<void>;
  /**
   * Stores a stream under no key yet, and measures it. It is opened when its turn comes. `expectedBytes`:
   * its length, if it is known.
   */
  receive(
    open: () => Promise<AsyncIterable<Uint8Array>>,
    expectedBytes: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ReceivedFile>;
}

/** Disposing removes it, unless it has moved. */
export interface ReceivedFile extends Measure, AsyncDisposable {
  moveTo(key: string, contentType: string): Promise<void>;
}
