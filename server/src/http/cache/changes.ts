/** In a process. Beyond it, the one that changed first is forgotten. */
const mostKnown = 10_000;

/**
 * In which order podcasts have changed. What is no longer cached can still be compared with it: to be dropped for
 * lack of room is no change.
 */
export class Changes {
  /** By podcast, in their order: the number of its last change. */
  readonly #last = new Map<string, number>();
  /** The number of the last change of any podcast. */
  #count = 0;
  /** Whatever was read before this change may have changed. */
  #forgotten = 0;

  /** To be read before what `hasChanged` is asked about. */
  get count(): number {
    return this.#count;
  }

  note(podcastId: string): void {
    this.#count += 1;
    this.#last.delete(podcastId);
    this.#last.set(podcastId, this.#count);
    if (this.#last.size <= mostKnown) return;
    const [[oldest, number] = ['', 0]] = this.#last;
    this.#last.delete(oldest);
    this.#forgotten = number;
  }

  noteAll(): void {
    this.#count += 1;
    this.#forgotten = this.#count;
    this.#last.clear();
  }

  /** Since the time when `count` was this. */
  hasChanged(podcastId: string, count: number): boolean {
    return count < this.#forgotten || count < (this.#last.get(podcastId) ?? 0);
  }
}
