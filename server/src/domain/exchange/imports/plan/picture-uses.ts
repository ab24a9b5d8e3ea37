import type { ItemRef } from '../report/import-report.ts';

/** A use of an image. */
export interface PictureUse {
  readonly what: string;
  readonly item?: ItemRef | undefined;
  set(imageId: string): Promise<void>;
}

/** Images by URL, and their uses. A feed may use one image 80,000 times. */
export class PictureUses {
  readonly #uses = new Map<string, Map<string, PictureUse>>();

  get size(): number {
    return this.#uses.size;
  }

  /** `key` identifies the use: each is stored once per image. */
  add(url: string | undefined, key: string, makeUse: () => PictureUse): void {
    if (url === undefined) return;
    let ofUrl = this.#uses.get(url);
    if (ofUrl === undefined) {
      ofUrl = new Map();
      this.#uses.set(url, ofUrl);
    }
    if (!ofUrl.has(key)) ofUrl.set(key, makeUse());
  }

  [Symbol.iterator](): MapIterator<[string, ReadonlyMap<string, PictureUse>]> {
    return this.#uses.entries();
  }
}
