import { readFileSync } from 'node:fs';
import { html } from '../../responses/html.ts';
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

/** A file of `docs/`. */
export function readDocument(name: string): string {
  return readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8');
}

export function renderChangelogPage(): Page {
  return createDocumentPage('/docs/changelog', readDocument('api-changelog.md'));
}

/** The analytics endpoints name it as their method. */
export function renderCountingPage(): Page {
  return createDocumentPage('/docs/counting', readDocument('counting.md'));
}

/** The dashboard names it where figures are imported. */
export function renderPlatformsPage(): Page {
  return createDocumentPage('/docs/platforms', readDocument('platforms.md'));
}

/** For the authors of plugins, without its pictures, which are only in the repository. */
export function renderSitesPage(): Page {
  const source = readDocument('sites.md').replaceAll(/^!\[[^\n]*\n\n/gm, '');
  return createDocumentPage('/docs/sites', source);
}

/** For the developers of receivers. */
export function renderWebhooksPage(): Page {
  return createDocumentPage('/docs/webhooks', readDocument('webhooks.md'));
}
