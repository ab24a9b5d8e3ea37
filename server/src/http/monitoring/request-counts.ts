/** Counts responses since the start by route group and status, for /metrics. */
export class RequestCounts {
  readonly #counts = new Map<string, Map<number, number>>();

  add(group: string, status: number): void {
    let byGroup = this.#counts.get(group);
    if (byGroup === undefined) {
      byGroup = new Map();
      this.#counts.set(group, byGroup);
    }
    byGroup.set(status, (byGroup.get(status) ?? 0) + 1);
  }

  *entries(): Generator<{ group: string; status: number; count: number }> {
    for (const [group, byStatus] of this.#counts) {
      for (const [status, count] of byStatus) yield { group, status, count };
    }
  }
}
