import { readFileSync } from 'node:fs';
import type { Page } from '../page.ts';
import { createDocsPage } from './docs-page.ts';
import { renderMarkdown } from './markdown.ts';

const changelog = readFileSync(
  new URL('../../../../../docs/api-changelog.md', import.meta.url),
  'utf8',
);

/** `/docs/changelog`: the Markdown file, whose first heading is the page's. */
export function renderChangelogPage(): Page {
  const [, title = 'Changelog', text = changelog] = /^# ([^\n]+)\n(.*)$/s.exec(changelog) ?? [];
  return createDocsPage({ path: '/docs/changelog', title, body: renderMarkdown(text) });
}
