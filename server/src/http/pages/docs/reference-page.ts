import { setImmediate } from 'node:timers/promises';
import { type Html, html } from '../../responses/html.ts';
import type { Page } from '../page.ts';
import { type ApiDocument, listOperations, type Operation } from './api-document.ts';
import { createDocsPage } from './docs-page.ts';
import { renderMarkdown, renderMarkdownLine } from './markdown.ts';
import { renderOperation } from './operation.ts';

/** `/docs`: the OpenAPI document for readers. Other requests continue between the operations. */
export async function renderReferencePage(document: ApiDocument): Promise<Page> {
  const groups = document.tags
    .map((tag) => ({ ...tag, operations: operationsOf(document, tag.name) }))
    .filter(({ operations }) => operations.length > 0);
  const sections: Html[] = [];
  for (const { name, description, operations } of groups) {
    const rendered: Html[] = [];
    for (const operation of operations) {
      rendered.push(renderOperation(document, operation));
      await setImmediate();
    }
    sections.push(html`<section aria-labelledby="${idOf(name)}">
<h2 id="${idOf(name)}">${name}</h2>
<p>${renderMarkdownLine(description)}</p>
${rendered}</section>
`);
  }
  return createDocsPage({
    path: '/docs',
    title: 'API reference',
    contents: html`<ul>${groups.map(({ name, operations }) => renderContents(name, operations))}</ul>`,
    body: html`<p>All paths are relative to <code>${document.servers[0]?.url}</code>.</p>
${renderMarkdown(document.info.description)}
${sections}`,
  });
}

function operationsOf(document: ApiDocument, tag: string): Operation[] {
  return listOperations(document).filter(({ tags }) => tags.includes(tag));
}

function renderContents(tag: string, operations: readonly Operation[]): Html {
  return html`<li><a href="#${idOf(tag)}">${tag}</a><ul>${operations.map(
    ({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>`,
  )}</ul></li>
`;
}

const idOf = (tag: string) => `about-${tag.toLowerCase().replace(/\W+/g, '-')}`;
