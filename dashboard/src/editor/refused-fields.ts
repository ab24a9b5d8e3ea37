import type { Problems } from './draft-server.ts';
import { type Fields, type FieldValue, sameValue } from './fields.ts';
import type { SaveMode } from './save-state.ts';

interface Refusal {
  readonly value: FieldValue;
  readonly message: string;
}

/** Values that the server did not take. Nothing sends them by itself before they change. */
export class RefusedFields {
  readonly #refusals = new Map<string, Refusal>();

  note(patch: Fields, problems: Problems, message: string): void {
    this.forget(patch);
    const named = Object.keys(patch).filter((field) => problems[field] !== undefined);
    for (const field of named.length > 0 ? named : Object.keys(patch)) {
      const value = patch[field];
      if (value === undefined) continue;
      this.#refusals.set(field, { value, message: problems[field] ?? message });
    }
  }

  /** The server has taken these, or says anew what it has against them. */
  forget(patch: Fields): void {
    for (const field of Object.keys(patch)) this.#refusals.delete(field);
  }

  leaveOut(patch: Fields, mode: SaveMode): Fields {
    // Who asks for an update means all of it: what was refused may depend on another field.
    if (mode === 'manual') return patch;
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
