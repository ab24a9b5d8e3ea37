/** Faults of one file of the product, which its tests must find. */
export interface FaultyFile {
  readonly area: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Where they are found first: a fault that these miss is a gap, even if others would find it. */
  readonly tests: readonly string[];
  readonly faults: readonly Fault[];
}

/** A text that the file has once, and what stands in its place. */
export interface Fault {
  /** What the product does wrong then. */
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

export function hasPlace(text: string, { from }: Fault): boolean {
  return text.split(from).length === 2;
}

/** The faulty text. Throws if the file does not have the place, or has it twice. */
export function introduceFault(text: string, { what, from, to }: Fault): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`"${what}" has ${more.length === 0 ? 'no place' : 'several places'}: ${from}`);
  }
  return before + to + after;
}
