import { LRUCache } from 'lru-cache';

/** What a file is read in. */
export const blockBytes = 64 * 1024;

/**
 * The blocks of files that were read last, for all who read the same file. What is read at this
 * moment is shared too. `name` is a file's name here; blocks may be shorter than a block at its end.
 */
export class FileBlocks {
  readonly #kept: LRUCache<string, Buffer>;
  readonly #underWay = new Map<string, Promise<Buffer>>();

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: () => blockBytes });
  }

  /** At once from memory, else by `load`. */
  get(name: string, index: number, load: () => Promise<Buffer>): Buffer | Promise<Buffer> {
    const key = `${name}/${index}`;
    return this.#kept.get(key) ?? this.#underWay.get(key) ?? this.#load(key, load);
  }

  /** Of a file that is closed: its `blocks` blocks. */
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
