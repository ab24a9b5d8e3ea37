import type { HttpFailure } from '../errors.ts';
import { html } from '../html.ts';

/** A refusal in words, for people. */
export function renderErrorPage(failure: HttpFailure, requestId: string): string {
  return html`<!doctype html><title>${failure.status}</title><p>${failure.message}</p><p>${requestId}</p>`
    .text;
}
