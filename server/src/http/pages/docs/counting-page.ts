import { readFileSync } from 'node:fs';
import type { Page } from '../page.ts';
import { createDocumentPage } from './document-page.ts';

const source = readFileSync(new URL('../../../../../docs/counting.md', import.meta.url), 'utf8');

/** `/docs/counting`, which the analytics endpoints name as their method. */
export function renderCountingPage(): Page {
  return createDocumentPage('/docs/counting', source);
}
