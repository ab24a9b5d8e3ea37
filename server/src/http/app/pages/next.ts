import type { FormState } from './form-state.ts';

/** Adds this form's target to the URL of another page, which then leads to the same target. */
export function withNext(path: string, { values: { next } }: FormState): string {
  return typeof next === 'string' ? `${path}?next=${encodeURIComponent(next)}` : path;
}
