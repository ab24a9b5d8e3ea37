/** How often something happened, by name, and examples of what should not happen. */
export interface Counted {
  readonly counts: Readonly<Record<string, number>>;
  readonly remarks: readonly string[];
}

const mostRemarks = 20;
/** A part of the service is busy or full, or oEmbed refuses XML. */
const deliberate: ReadonlySet<number> = new Set([501, 503, 507]);

export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #remarks: string[] = [];

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Counts a status. Undefined: the connection was closed without a response. */
  addResponse(status: number | undefined, describe: () => string): void {
    this.add(String(status ?? 'closed'));
    if (isFailure(status)) this.remark(`${status}: ${describe()}`);
  }

  remark(text: string): void {
    if (this.#remarks.length < mostRemarks) this.#remarks.push(text.slice(0, 1_000));
  }

  get counted(): Counted {
    return { counts: Object.fromEntries(this.#counts), remarks: this.#remarks };
  }
}

function isFailure(status: number | undefined): boolean {
  return status !== undefined && status >= 500 && !deliberate.has(status);
}

export function sumUp(all: readonly Counted[]): Counted {
  const counts: Record<string, number> = {};
  for (const one of all) {
    for (const [name, count] of Object.entries(one.counts)) {
      counts[name] = (counts[name] ?? 0) + count;
    }
  }
  return { counts, remarks: all.flatMap(({ remarks }) => remarks) };
}

export function sayCounts({ counts }: Counted): string {
  return Object.entries(counts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
    .join(', ');
}
