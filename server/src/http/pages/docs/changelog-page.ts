import { readFileSync } from 'node:fs';
import type { Page } from '../page.ts';
import { createDocumentPage } from './document-page.ts';

const changelog = readFileSync(
  new URL('../../../../../docs/api-changelog.md', import.meta.url),
  'utf8',
);

/** `/docs/changelog`. */
export function renderChangelogPage(): Page {
  return createDocumentPage('/docs/changelog', changelog);
}
