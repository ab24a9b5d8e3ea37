const mostKept = 200;

/** What went wrong, and how often something happened. */
export class Findings {
  readonly problems: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #longestOf = new Map<string, string>();
  readonly #longestMs = new Map<string, number>();
  readonly #say: (text: string) => void;
  problemCount = 0;

  /** `say` gets each problem at once: a run that ends early has told them too. */
  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  count(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  /** Keeps the longest time of this name. */
  took(name: string, ms: number, what = ''): void {
    if (ms <= (this.#longestMs.get(name) ?? -1)) return;
    this.#longestMs.set(name, ms);
    this.#longestOf.set(name, what);
  }

  /** What took longest. */
  longestOf(name: string): string {
    return this.#longestOf.get(name) ?? '';
  }

  forgetLongest(name: string): void {
    this.#longestMs.delete(name);
  }

  longest(name: string): number {
    return this.#longestMs.get(name) ?? 0;
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  problem(text: string): void {
    this.problemCount += 1;
    const at = new Date().toISOString().slice(11, 23);
    if (this.problems.length >= mostKept) return;
    const problem = `${at} ${text.slice(0, 400)}`;
    this.problems.push(problem);
    this.#say(`    ! ${problem}`);
  }

  get remarks(): string[] {
    const counts = [...this.#counts].toSorted().map(([name, count]) => `${name} ${count}`);
    const times = [...this.#longestMs]
      .toSorted()
      .map(([name, ms]) => `${name} ${Math.round(ms)} ms`);
    return [counts.join(', '), `longest: ${times.join(', ')}`, ...this.problems];
  }
}
