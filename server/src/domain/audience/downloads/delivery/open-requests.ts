/** The requests that this process has begun to handle and not journaled yet, by second. */
export class OpenRequests {
  /**
   * A second without requests stays until the next one begins: V8 copies a Map that is emptied, and
   * most requests end at once.
   */
  readonly #counts = new Map<number, number>();

  add(at: Date): void {
    const second = secondOf(at);
    const count = this.#counts.get(second);
    if (count === undefined) this.#dropEmpty();
    this.#counts.set(second, (count ?? 0) + 1);
  }

  remove(at: Date): void {
    const second = secondOf(at);
    this.#counts.set(second, (this.#counts.get(second) ?? 0) - 1);
  }

  /** At most a second before the earliest request, never after it; undefined: there is none. */
  get earliest(): Date | undefined {
    let earliest: number | undefined;
    for (const [second, count] of this.#counts) {
      if (count > 0 && (earliest === undefined || second < earliest)) earliest = second;
    }
    return earliest === undefined ? undefined : new Date(earliest * 1_000);
  }

  /** The number of seconds that are in memory. */
  get size(): number {
    return this.#counts.size;
  }

  #dropEmpty(): void {
    for (const [second, count] of this.#counts) if (count === 0) this.#counts.delete(second);
  }
}

function secondOf(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
