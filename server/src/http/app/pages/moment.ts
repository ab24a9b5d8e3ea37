import { formatMoment } from '../../../lib/time.ts';
import type { PageWords } from '../../pages/page-words.ts';
import { type Html, html } from '../../responses/html.ts';

/** `10 March 2026 at 12:00 UTC`, with a machine-readable value. */
export function renderMoment({ language }: PageWords, moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${formatMoment(moment, language)}</time>`;
}
