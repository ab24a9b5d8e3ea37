import { type Page, pageType } from '../pages/page.ts';
import { sessionCaching } from '../payload.ts';
import type { Answer } from '../route.ts';

/** Responses of account pages. None may be cached. */

export function answerPage(page: Page): Answer {
  const { text, headers } = page;
  return { kind: 'text', contentType: pageType, text, headers, caching: sessionCaching };
}

/** Redirects after a form, so that reloading the page does not send the form again. */
export function seeOther(location: string): Answer {
  return { kind: 'redirect', status: 303, location, caching: sessionCaching };
}
