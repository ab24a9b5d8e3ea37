import type { FormState } from './form-state.ts';

/** The URL of a page that leads to where this form would have led. */
export function withNext(path: string, { values: { next } }: FormState): string {
  return typeof next === 'string' ? `${path}?next=${encodeURIComponent(next)}` : path;
}
