import type { Problems } from './draft-server.ts';
import { type Fields, type FieldValue, sameValue } from './fields.ts';

interface Refusal {
  readonly value: FieldValue;
  readonly message: string;
}

/** Values that the server did not take. They are not sent again before they change. */
export class RefusedFields {
  readonly #refusals = new Map<string, Refusal>();

  note(patch: Fields, problems: Problems, message: string): void {
    const named = Object.keys(patch).filter((field) => problems[field] !== undefined);
    for (const field of named.length > 0 ? named : Object.keys(patch)) {
      const value = patch[field];
      if (value === undefined) continue;
      this.#refusals.set(field, { value, message: problems[field] ?? message });
    }
  }

  leaveOut(patch: Fields): Fields {
    return Object.fromEntries(
      Object.entries(patch).filter(([field, value]) => !this.#refuses(field, value)),
    );
  }

  /** The message by field, for fields that still hold what was refused. */
  problemsOf(values: Fields): Problems {
    const refused = [...this.#refusals].filter(([field]) => {
      const value = values[field];
      return value !== undefined && this.#refuses(field, value);
    });
    return Object.fromEntries(refused.map(([field, { message }]) => [field, message]));
  }

  #refuses(field: string, value: FieldValue): boolean {
    const refusal = this.#refusals.get(field);
    return refusal !== undefined && sameValue(refusal.value, value);
  }
}
