import type { ItemProblem } from './import-report.ts';
import { shortenValues } from './shorten-values.ts';

/** Entries of each kind in a report; more are only counted. */
export const mostListed = 1_000;

/** A problem of an item, and whether the item is left out because of it. */
export interface ListedProblem extends ItemProblem {
  readonly leftOut: boolean;
}

/** How many items are left out, and how many have a problem. */
export interface ProblemCounts {
  readonly leftOut: number;
  readonly flawed: number;
}

export interface Problems {
  readonly listed: readonly ListedProblem[];
  /** How many more there are. */
  readonly more: ProblemCounts;
}

/** Collects as many problems as a report lists; a feed of 100 MB may have millions. */
export class ProblemList implements Problems {
  readonly #known = { leftOut: 0, flawed: 0 };
  #listed: ListedProblem[] = [];
  #more = { leftOut: 0, flawed: 0 };

  get listed(): readonly ListedProblem[] {
    return this.#listed;
  }

  get more(): ProblemCounts {
    return this.#more;
  }

  /** `describe` is called only for what is listed: it takes long for some URLs. */
  add(leftOut: boolean, describe: () => ItemProblem): void {
    const kind = leftOut ? 'leftOut' : 'flawed';
    if (this.#known[kind] < mostListed)
      this.#listed.push(shortenValues({ ...describe(), leftOut }));
    else this.#more[kind] += 1;
    this.#known[kind] += 1;
  }

  addAll({ listed, more }: Problems): void {
    for (const problem of listed) this.add(problem.leftOut, () => problem);
    this.#more.leftOut += more.leftOut;
    this.#more.flawed += more.flawed;
  }

  /** Those that were added since the last call. */
  take(): Problems {
    const taken = { listed: this.#listed, more: this.#more };
    this.#listed = [];
    this.#more = { leftOut: 0, flawed: 0 };
    return taken;
  }
}
