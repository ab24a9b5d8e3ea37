import type { ErrorDetail } from '../../../domain/foundation/errors.ts';

/** The values and problems of a form that is shown again. */
export interface FormState {
  /** By field name. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly ErrorDetail[];
}

export const untouched: FormState = { values: {}, problems: [] };

/** A form with its current values. */
export function startingWith(values: FormState['values']): FormState {
  return { values, problems: [] };
}

/** The first problem of a field or of one of its items (`podcasts.0`). */
export function problemOf(state: FormState, name: string): ErrorDetail | undefined {
  return state.problems.find(({ field }) => isAbout(field, name));
}

/** Problems that belong to no field; shown above all fields. */
export function otherProblems(state: FormState, names: readonly string[]): readonly ErrorDetail[] {
  return state.problems.filter(({ field }) => !names.some((name) => isAbout(field, name)));
}

/** The field that gets the focus. */
export function firstWrongField(state: FormState, names: readonly string[]): string | undefined {
  return names.find((name) => problemOf(state, name) !== undefined);
}

function isAbout(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}.`);
}

/** The token of the email's link; empty if there is none. */
export function tokenOf({ values }: FormState): string {
  return typeof values['token'] === 'string' ? values['token'] : '';
}
