/** The requests that this process has begun to answer and not journaled yet, by second. */
export class OpenRequests {
  readonly #counts = new Map<number, number>();

  add(at: Date): void {
    const second = secondOf(at);
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + 1);
  }

  remove(at: Date): void {
    const second = secondOf(at);
    const count = this.#counts.get(second) ?? 0;
    if (count > 1) this.#counts.set(second, count - 1);
    else this.#counts.delete(second);
  }

  /** At most a second before the earliest request, never after it; undefined: there is none. */
  get earliest(): Date | undefined {
    let earliest: number | undefined;
    for (const second of this.#counts.keys()) {
      if (earliest === undefined || second < earliest) earliest = second;
    }
    return earliest === undefined ? undefined : new Date(earliest * 1_000);
  }
}

function secondOf(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
