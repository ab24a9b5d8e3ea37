import { type ErrorCode, errorCatalogue } from '../../errors.ts';
import { Html, html } from '../../html.ts';
import {
  type ApiBody,
  type ApiDocument,
  type ApiParameter,
  type ApiResponse,
  type Operation,
  resolve,
} from './api-document.ts';
import { curlExample } from './curl-example.ts';
import { renderMarkdown, renderMarkdownLine } from './markdown.ts';
import { boundsOf, listFields, typeOf } from './schema-rows.ts';
import { renderTable } from './table.ts';

/** The full description of an operation. */
export function renderOperation(document: ApiDocument, operation: Operation): Html {
  const { operationId, method, path, summary, description, parameters = [] } = operation;
  const takes = operation.requestBody?.content['application/json'];
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolve(document, response)] as const,
  );
  return html`<section class="operation" aria-labelledby="${operationId}">
<h3 id="${operationId}">${summary}</h3>
<p class="address"><b>${method}</b> <code>${path}</code></p>
${description !== undefined && renderMarkdown(description)}
<pre tabindex="0"><code>${curlExample(document, operation)}</code></pre>
${renderParameters(
  document,
  parameters.map((parameter) => resolve(document, parameter)),
)}
${takes !== undefined && renderRequestBody(document, takes)}
${responses.map(([status, response]) => renderBody(document, status, response))}
${renderStatuses(responses)}
</section>
`;
}

function renderParameters(document: ApiDocument, parameters: readonly ApiParameter[]): Html {
  const rows = parameters.map((parameter) => {
    const schema = resolve(document, parameter.schema);
    const bounds = boundsOf(schema);
    return [
      html`<code>${parameter.name}</code>${parameter.required && html` <b class="mark">required</b>`}`,
      html`${parameter.in}`,
      html`${typeOf(document, parameter.schema)}${bounds !== '' && html`<br><span class="meta">${bounds}</span>`}`,
      renderMarkdownLine(parameter.description ?? ''),
    ];
  });
  return renderTable('Parameters', ['Name', 'In', 'Type', 'Meaning'], rows);
}

/** The properties that a request has, and whether it may have others. */
function renderRequestBody(document: ApiDocument, { schema }: ApiBody): Html {
  const rows = listFields(document, schema).map((field) => [
    html`<code class="depth-${Math.min(field.depth, 4)}">${field.name}</code>${!field.optional && html` <b class="mark">required</b>`}`,
    html`${field.type}${field.bounds !== '' && html`<br><span class="meta">${field.bounds}</span>`}`,
    renderMarkdownLine(field.description),
  ]);
  const isClosed = resolve(document, schema).additionalProperties === false;
  return html`${renderTable('Body of the request: JSON', ['Property', 'Type', 'Meaning'], rows)}
<p class="meta">${rows.length === 0 && 'The body is an empty JSON object, or left out. '}${
    isClosed ? 'A property that is not named here is refused.' : 'Other properties are ignored.'
  }</p>`;
}

/** The fields of a success. Errors share one body, described on its own page. */
function renderBody(document: ApiDocument, status: string, response: ApiResponse): Html | false {
  const body = response.content?.['application/json'];
  if (body === undefined || !status.startsWith('2')) return false;
  const rows = listFields(document, body.schema).map((field) => [
    html`<code class="depth-${Math.min(field.depth, 4)}">${field.name}</code>`,
    html`${field.type}${field.optional && html` <b class="mark">optional</b>`}`,
    renderMarkdownLine(field.description),
  ]);
  return html`${rows.length > 0 && renderTable(`Body of ${status}`, ['Field', 'Type', 'Meaning'], rows)}
${
  body.example !== undefined &&
  html`<details><summary>Example body</summary>
<pre tabindex="0"><code>${JSON.stringify(body.example, null, 2)}</code></pre></details>`
}`;
}

function renderStatuses(responses: readonly (readonly [string, ApiResponse])[]): Html {
  const headers = responses.map(([, response]) => Object.keys(response.headers ?? {}));
  const common = (headers[0] ?? []).filter((name) => headers.every((some) => some.includes(name)));
  const rows = responses.map(([status, { description }], index) => [
    html`<b>${status}</b>`,
    linkCodes(renderMarkdownLine(description)),
    renderNames((headers[index] ?? []).filter((name) => !common.includes(name))),
  ]);
  return html`${renderTable('Answers', ['Status', 'Meaning', 'Headers'], rows)}
${common.length > 0 && html`<p class="meta">On every response: ${renderNames(common)}</p>`}`;
}

function renderNames(names: readonly string[]): Html {
  return html`${names.map((name) => html`<code>${name}</code> `)}`;
}

/** Links an error's code to its section. */
function linkCodes(description: Html): Html {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  return codes.reduce((text, code) => linkCode(text, code), description);
}

function linkCode({ text }: Html, code: ErrorCode): Html {
  const [before, ...after] = text.split(`<code>${code}</code>`);
  return html`${new Html(before ?? '')}${after.map(
    (part) => html`<a href="/docs/errors#${code}"><code>${code}</code></a>${new Html(part)}`,
  )}`;
}
