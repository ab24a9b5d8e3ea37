import { readFileSync } from 'node:fs';
import type { Page } from '../page.ts';
import { createDocumentPage } from './document-page.ts';

const document = readFileSync(new URL('../../../../../docs/sites.md', import.meta.url), 'utf8');

/** Its pictures are only in the repository. */
const source = document.replaceAll(/^!\[[^\n]*\n\n/gm, '');

/** `/docs/sites`, for the authors of plugins. */
export function renderSitesPage(): Page {
  return createDocumentPage('/docs/sites', source);
}
