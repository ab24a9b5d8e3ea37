/** The parts of a file that could not be used. */
export interface LeftOut {
  readonly count: number;
  /** The first of them as they are in the file, shortened. */
  readonly examples: readonly string[];
}

export const nothingLeftOut: LeftOut = { count: 0, examples: [] };

/** For reports and commands, in English. */
export function describeLeftOut({ count, examples }: LeftOut): string {
  const parts = count === 1 ? '1 part of the file' : `${count} parts of the file`;
  const quoted = examples.map((text) => JSON.stringify(text));
  const rest = count > examples.length ? [`${count - examples.length} more`] : [];
  return `${parts} could not be used: ${[...quoted, ...rest].join(', ')}.`;
}

const shownExamples = 5;
const exampleLength = 80;

/** Collects what a reader leaves out. Keeps only a few of them, however many there are. */
export class LeftOutParts {
  #count = 0;
  readonly #examples: string[] = [];

  add(part: string): void {
    this.#count += 1;
    if (this.#examples.length < shownExamples) this.#examples.push(part.slice(0, 1000));
  }

  addAll(other: LeftOutParts): void {
    this.#count += other.#count;
    const left = shownExamples - this.#examples.length;
    this.#examples.push(...other.#examples.slice(0, Math.max(0, left)));
  }

  /** `clean` makes a line of text that may be shown. */
  finish(clean: (text: string) => string): LeftOut {
    const examples = this.#examples.map((part) => clean(part).slice(0, exampleLength).trim());
    return { count: this.#count, examples: examples.map((text) => text.toWellFormed()) };
  }
}
