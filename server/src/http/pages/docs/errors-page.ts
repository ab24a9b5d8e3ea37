import { type ErrorCode, errorBody, errorCatalogue } from '../../http-errors.ts';
import { type Html, html } from '../../responses/html.ts';
import type { Page } from '../page.ts';
import { createDocsPage } from './docs-page.ts';
import { renderMarkdownLine } from './markdown.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[];

/** `/docs/errors`, the target of every error's `docs_url`; each code has a section. */
export function renderErrorsPage(baseUrl: string): Page {
  return createDocsPage({
    path: '/docs/errors',
    title: 'Errors',
    contents: html`<ul>${codes.map((code) => html`<li><a href="#${code}">${code}</a></li>`)}</ul>`,
    body: html`<p>Every error of the API has the same body. In programs, use <code>code</code>, whose meaning never
changes; show <code>message</code> to people. <code>details</code> lists all invalid fields, if any; an item
may have a <code>reason</code> for programs. Caches must not store errors.</p>
<pre tabindex="0"><code>${JSON.stringify(exampleBody(baseUrl), null, 2)}</code></pre>
<p>When you report a problem, quote <code>request_id</code>. It equals the header
<code>X-Request-Id</code> of the response.</p>
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
      message: 'The request is invalid: limit.',
      details: [{ field: 'limit', message: 'This must be 50 or less.' }],
    },
    '8d5c2a4e-7f0b-4a8e-9c3d-1b2f6e7a9d40',
    baseUrl,
  );
}

/** The statuses of each error code (ERR-7 to ERR-16). */
const errorStatuses: Readonly<Record<ErrorCode, readonly number[]>> = {
  invalid_request: [400, 405, 412, 413, 415, 416],
  not_found: [404],
  unavailable: [403],
  unauthorized: [401],
  invalid_api_key: [401],
  insufficient_scope: [403],
  forbidden: [403],
  plan_upgrade_required: [403],
  rate_limited: [429],
  service_unavailable: [503],
  internal_error: [500],
  not_implemented: [501],
};
