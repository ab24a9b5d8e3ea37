import { type ErrorCode, errorBody, errorCatalogue } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import type { Page } from '../page.ts';
import { createDocsPage } from './docs-page.ts';
import { errorStatuses } from './error-statuses.ts';
import { renderMarkdownLine } from './markdown.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[];

/** `/docs/errors`: where the `docs_url` of every error leads, to the section named by its code. */
export function renderErrorsPage(baseUrl: string): Page {
  return createDocsPage({
    path: '/docs/errors',
    title: 'Errors',
    contents: html`<ul>${codes.map((code) => html`<li><a href="#${code}">${code}</a></li>`)}</ul>`,
    body: html`<p>Every error of the API has the same body. Decide by <code>code</code>, which never changes its
meaning; show <code>message</code> to people. <code>details</code> is there where single fields are wrong, and
names all of them; an item may carry a <code>reason</code> for programs. No error is kept by a cache.</p>
<pre tabindex="0"><code>${JSON.stringify(exampleBody(baseUrl), null, 2)}</code></pre>
<p>When you report a problem, quote <code>request_id</code>: it is the value of the header
<code>X-Request-Id</code>, which every answer has.</p>
${codes.map(renderEntry)}`,
  });
}

function renderEntry(code: ErrorCode): Html {
  const { title, meaning, remedy } = errorCatalogue[code];
  return html`<section aria-labelledby="${code}">
<h2 id="${code}"><code>${code}</code></h2>
<p><b>${title}</b>, status ${errorStatuses[code].join(', ')}</p>
<p>${renderMarkdownLine(meaning)}</p>
<p><b>What to do.</b> ${renderMarkdownLine(remedy)}</p>
</section>
`;
}

function exampleBody(baseUrl: string): object {
  return errorBody(
    {
      status: 400,
      code: 'invalid_request',
      message: 'The request is wrong in limit.',
      details: [{ field: 'limit', message: 'This is 50 or less.' }],
    },
    '8d5c2a4e-7f0b-4a8e-9c3d-1b2f6e7a9d40',
    baseUrl,
  );
}
