import type { Problems, SaveMode } from './draft-server.ts';
import { type Fields, type FieldValue, sameValue } from './fields.ts';

interface Refusal {
  readonly value: FieldValue;
  readonly message: string;
}

export type Check = (field: string, value: FieldValue) => string | undefined;

/** Values that the server has refused or would refuse. They are not sent again automatically. */
export class RefusedFields {
  readonly #refusals = new Map<string, Refusal>();
  readonly #check: Check;

  /** `check` finds the problems of values that the browser can recognize. */
  constructor(check: Check = () => undefined) {
    this.#check = check;
  }

  note(patch: Fields, problems: Problems, message: string): void {
    this.forget(patch);
    const named = Object.keys(patch).filter((field) => problems[field] !== undefined);
    for (const field of named.length > 0 ? named : Object.keys(patch)) {
      const value = patch[field];
      if (value === undefined) continue;
      this.#refusals.set(field, { value, message: problems[field] ?? message });
    }
  }

  /** The server has accepted these, or will refuse them again. */
  forget(patch: Fields): void {
    for (const field of Object.keys(patch)) this.#refusals.delete(field);
  }

  leaveOut(patch: Fields, mode: SaveMode): Fields {
    // An update sends all fields again, because a refusal may depend on another field.
    const problemOf = mode === 'manual' ? this.#check : this.#problemOf;
    return Object.fromEntries(
      Object.entries(patch).filter(([field, value]) => problemOf(field, value) === undefined),
    );
  }

  /** The messages by field. */
  problemsOf(patch: Fields): Problems {
    const problems = Object.entries(patch).flatMap(([field, value]) => {
      const problem = this.#problemOf(field, value);
      return problem === undefined ? [] : [[field, problem] as const];
    });
    return Object.fromEntries(problems);
  }

  /** Whether the server has refused any of these: it may accept them another time. */
  hasRefused(patch: Fields): boolean {
    return Object.entries(patch).some(
      ([field, value]) => this.#refusalOf(field, value) !== undefined,
    );
  }

  /** Forgets all refusals, so that the values are sent again. */
  forgetAll(): void {
    this.#refusals.clear();
  }

  readonly #problemOf: Check = (field, value) =>
    this.#refusalOf(field, value)?.message ?? this.#check(field, value);

  #refusalOf(field: string, value: FieldValue): Refusal | undefined {
    const refusal = this.#refusals.get(field);
    return refusal !== undefined && sameValue(refusal.value, value) ? refusal : undefined;
  }
}
