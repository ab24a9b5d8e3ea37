import { type ErrorCode, errorCatalogue } from '../../http-errors.ts';
import { Html, html } from '../../responses/html.ts';
import {
  type ApiBody,
  type ApiDocument,
  type ApiParameter,
  type ApiResponse,
  type ApiSchema,
  nameOfReference,
  type Operation,
  type Ref,
  resolve,
} from './api-document.ts';
import { renderMarkdown, renderMarkdownLine } from './markdown.ts';

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
  return html`${renderTable('Request body: JSON', ['Property', 'Type', 'Meaning'], rows)}
<p class="meta">${rows.length === 0 && 'The body is an empty JSON object, or omitted. '}${
    isClosed ? 'Properties that are not listed here are refused.' : 'Other properties are ignored.'
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
  return html`${rows.length > 0 && renderTable(`Response body: ${status}`, ['Field', 'Type', 'Meaning'], rows)}
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
  return html`${renderTable('Responses', ['Status', 'Meaning', 'Headers'], rows)}
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

/** An example call, with the example values of all path parameters and required parameters. */
export function curlExample(document: ApiDocument, operation: Operation): string {
  const { method, path, parameters = [], security = [] } = operation;
  const known = parameters.map((parameter) => resolve(document, parameter));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(exampleOf(known.find((one) => one.name === name))),
  );
  const query = known
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter))}`);
  const body = operation.requestBody?.content['application/json']?.example;
  const address = (document.servers[0]?.url ?? '') + filled;
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(security.length > 0 ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`]),
    `'${query.length > 0 ? `${address}?${query.join('&')}` : address}'`,
  ].join(' ');
}

/** Quotes the text as one word of a shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A parameter without an example appears by its name. */
function exampleOf(parameter: ApiParameter | undefined): string {
  return String(parameter?.example ?? parameter?.name.toUpperCase() ?? '');
}

/** A field of a body and its depth; the body itself has depth 0. */
interface FieldRow {
  readonly name: string;
  readonly depth: number;
  readonly type: string;
  readonly optional: boolean;
  /** In words; empty where there are none. */
  readonly bounds: string;
  readonly description: string;
}

/** All fields of an object, nested ones after their parent. Recursive schemas are only named. */
export function listFields(
  document: ApiDocument,
  part: Ref<ApiSchema>,
  depth = 0,
  within: readonly string[] = [],
): FieldRow[] {
  const name = nameOfReference(part);
  if (name !== undefined && within.includes(name)) return [];
  const inside = name === undefined ? within : [...within, name];
  const schema = resolve(document, part);
  const { items, anyOf = [], properties = {}, required = [] } = schema;
  if (items !== undefined) return listFields(document, items, depth, inside);
  if (anyOf.length > 0) return anyOf.flatMap((one) => listFields(document, one, depth, inside));
  return Object.entries(properties).flatMap(([field, value]) => [
    {
      name: field,
      depth,
      type: typeOf(document, value),
      optional: !required.includes(field),
      bounds: boundsOf(resolve(document, value)),
      description: resolve(document, value).description ?? '',
    },
    ...listFields(document, value, depth + 1, inside),
  ]);
}

/** A type as text: `string (uuid) or null`, `list of PublicEpisode`, `full, trailer or bonus`. */
export function typeOf(document: ApiDocument, part: Ref<ApiSchema>): string {
  const name = nameOfReference(part);
  if (name !== undefined) return name;
  const { type, anyOf, items, const: only, enum: values, format } = part as ApiSchema;
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(document, one)).join(' or ');
  if (items !== undefined) return `list of ${typeOf(document, items)}`;
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ');
  const types = typeof type === 'string' ? [type] : (type ?? ['anything']);
  return types
    .map((one) => (format !== undefined && one === 'string' ? `string (${format})` : one))
    .join(' or ');
}

/** Bounds as text, for parameters and request bodies: `1 to 50, default 20`. */
export function boundsOf(schema: ApiSchema): string {
  const { minimum, maximum, maxLength } = schema;
  const parts = [
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    minimum !== undefined && maximum === undefined && `at least ${minimum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** A table that scrolls sideways on phones; empty without rows. */
function renderTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Html[])[],
): Html {
  if (rows.length === 0) return html``;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table></div>
`;
}
