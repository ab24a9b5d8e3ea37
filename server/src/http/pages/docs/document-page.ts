import { html } from '../../html.ts';
import type { Page } from '../page.ts';
import { createDocsPage, type DocsPart } from './docs-page.ts';
import { idOfHeading, renderMarkdown, renderMarkdownLine } from './markdown.ts';

/**
 * Renders a Markdown file: the first heading is the title, the others are the table of contents.
 */
export function createDocumentPage(path: DocsPart['path'], source: string): Page {
  const [, title = '', text = source] = /^# ([^\n]+)\n(.*)$/s.exec(source) ?? [];
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  return createDocsPage({
    path,
    title,
    contents: html`<ul>${headings.map(
      (heading) =>
        html`<li><a href="#${idOfHeading(heading)}">${renderMarkdownLine(heading)}</a></li>`,
    )}</ul>`,
    body: renderMarkdown(text),
  });
}
