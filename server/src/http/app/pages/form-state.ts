import type { ErrorDetail } from '../../../domain/errors.ts';

/** What a form shows when it comes back: what was typed, and what is wrong with it. */
export interface FormState {
  /** By the fields' names. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly ErrorDetail[];
}

export const untouched: FormState = { values: {}, problems: [] };

/** A form that begins with what is so now. */
export function startingWith(values: FormState['values']): FormState {
  return { values, problems: [] };
}

/** The first complaint about a field, or about one of its items (`podcasts.0`). */
export function problemOf(state: FormState, name: string): string | undefined {
  return state.problems.find(({ field }) => isAbout(field, name))?.message;
}

/** What no field of the form stands for: it is said above all of them. */
export function otherProblems(state: FormState, names: readonly string[]): readonly string[] {
  return state.problems
    .filter(({ field }) => !names.some((name) => isAbout(field, name)))
    .map(({ message }) => message);
}

/** The one field where whoever fills in the form goes on. */
export function firstWrongField(state: FormState, names: readonly string[]): string | undefined {
  return names.find((name) => problemOf(state, name) !== undefined);
}

function isAbout(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}.`);
}

/** Of the letter's link that the form began with; empty where it began without. */
export function tokenOf({ values }: FormState): string {
  return typeof values['token'] === 'string' ? values['token'] : '';
}
