import type { SegmentFile } from './segment-file.ts';

/** The segments of a journal that are not removed yet. */
export class SegmentFiles {
  readonly #all = new Set<SegmentFile>();
  #sizeBytes = 0;

  get all(): ReadonlySet<SegmentFile> {
    return this.#all;
  }

  /** Every line that is appended asks for it, and there may be a thousand segments. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(segment: SegmentFile): void {
    this.#all.add(segment);
    this.#sizeBytes += segment.sizeBytes;
  }

  /** Call it when bytes were added to a segment; it may have been removed meanwhile. */
  grow(segment: SegmentFile, bytes: number): void {
    if (this.#all.has(segment)) this.#sizeBytes += bytes;
  }

  delete(segment: SegmentFile): void {
    if (this.#all.delete(segment)) this.#sizeBytes -= segment.sizeBytes;
  }
}
