import { html } from '../../html.ts';
import type { Page } from '../page.ts';
import { createDocsPage, type DocsPart } from './docs-page.ts';
import { idOfHeading, renderMarkdown, renderMarkdownLine } from './markdown.ts';

/** A Markdown file as a page: its first heading is the page's, those below it are its contents. */
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
