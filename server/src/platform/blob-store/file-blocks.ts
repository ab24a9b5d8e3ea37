import { LRUCache } from 'lru-cache';

/** Files are read in blocks of this size. */
export const blockBytes = 64 * 1024;

/**
 * Caches the blocks of files that were read last. Concurrent readers of a block share one read.
 * `name` identifies a file in this cache. The last block of a file may be shorter.
 */
export class FileBlocks {
  readonly #kept: LRUCache<string, Buffer>;
  readonly #underWay = new Map<string, Promise<Buffer>>();

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: () => blockBytes });
  }

  /** Returns a cached block without a promise; else calls `load`. */
  get(name: string, index: number, load: () => Promise<Buffer>): Buffer | Promise<Buffer> {
    const key = `${name}/${index}`;
    return this.#kept.get(key) ?? this.#underWay.get(key) ?? this.#load(key, load);
  }

  /** Call it when a file is closed. It removes the file's `blocks` blocks. */
  forget(name: string, blocks: number): void {
    for (let index = 0; index < blocks; index += 1) this.#kept.delete(`${name}/${index}`);
  }

  #load(key: string, load: () => Promise<Buffer>): Promise<Buffer> {
    const loading = load()
      .then((block) => {
        this.#kept.set(key, block);
        return block;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, loading);
    return loading;
  }
}
