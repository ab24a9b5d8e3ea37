import type { ErrorCode, HttpFailure } from '../errors.ts';
import { html } from '../html.ts';
import { readStyle } from './assets.ts';
import { createPage, type Page } from './page.ts';
import { paletteStyle } from './palette.ts';

interface Words {
  readonly title: string;
  /** What to do about it. */
  readonly advice: string;
}

const style = paletteStyle(null, 'auto') + readStyle('base.css', 'error.css');

const words: Partial<Record<ErrorCode, Words>> = {
  not_found: {
    title: 'There is nothing here',
    advice: 'The address may be mistyped, or what was here is not public now, or not yet.',
  },
  unavailable: {
    title: 'Not available right now',
    advice: 'Its makers know about it. Please come back another day.',
  },
  rate_limited: {
    title: 'One moment, please',
    advice: 'Wait a minute, then load the page again.',
  },
  service_unavailable: {
    title: 'Back in a moment',
    advice: 'Please load the page again in a little while.',
  },
  internal_error: {
    title: 'Something went wrong',
    advice:
      'Please try again. If it happens again, tell the people who run this site the reference below.',
  },
};

const otherwise: Words = {
  title: 'This did not work',
  advice: 'Check the address, or begin again from the page you came from.',
};

/** A refusal in words, for people. In the frame of another site it stays small and stands alone. */
export function renderErrorPage(failure: HttpFailure, requestId: string, framed: boolean): Page {
  const { title, advice } = words[failure.code] ?? otherwise;
  return createPage({
    language: 'en',
    title,
    head: html`<meta name="robots" content="noindex">`,
    bodyClass: framed ? 'framed' : 'whole',
    body: html`<main>
<p class="status">${failure.status}</p>
<h1>${title}</h1>
<p>${failure.message} ${advice}</p>
<p class="meta">Reference: ${requestId}</p>
${!framed && html`<p><a href="/">Home</a></p>`}
</main>
`,
    style,
    framable: framed,
  });
}
