/** Requests answered since the start, by surface and status: what /metrics shows. */
export class RequestCounts {
  readonly #counts = new Map<string, Map<number, number>>();

  add(surface: string, status: number): void {
    let bySurface = this.#counts.get(surface);
    if (bySurface === undefined) {
      bySurface = new Map();
      this.#counts.set(surface, bySurface);
    }
    bySurface.set(status, (bySurface.get(status) ?? 0) + 1);
  }

  *entries(): Generator<{ surface: string; status: number; count: number }> {
    for (const [surface, byStatus] of this.#counts) {
      for (const [status, count] of byStatus) yield { surface, status, count };
    }
  }
}
