/** One measured value, and its aim. A figure without an aim is only printed. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  readonly aim?: { readonly atLeast: number } | { readonly atMost: number };
  /** How the value was computed. */
  readonly note?: string;
}

/** `ratio` and `count` have no unit; seconds and milliseconds; kilobytes of 1,000 and megabytes of 1,000,000 bytes. */
export type Unit = 'ratio' | 'count' | 's' | 'ms' | 'kB' | 'MB';

export interface Group {
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Further lines, such as a plan that explains a missed aim. */
  readonly remarks?: readonly string[];
}

/** A bench run: when to stop, and where to print progress. */
export interface Run {
  readonly signal: AbortSignal;
  say(text: string): void;
}

export interface Part {
  readonly name: string;
  readonly about: string;
  measure(run: Run): Promise<readonly Group[]>;
}

export interface Bench {
  readonly name: string;
  readonly about: string;
  readonly parts: readonly Part[];
}

/** Undefined if the figure has no aim. */
export function meetsAim({ value, aim }: Figure): boolean | undefined {
  if (aim === undefined) return undefined;
  return 'atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost;
}
