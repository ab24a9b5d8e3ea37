import { readFileSync } from 'node:fs';
import { playerScript } from '../../embed/player-script.ts';
import type { Page } from '../page.ts';
import { createDocsPage } from './docs-page.ts';
import { renderMarkdown } from './markdown.ts';

const source = readFileSync(new URL('../../../../../docs/player.md', import.meta.url), 'utf8');
const exampleOrigin = 'https://podcasts.example.com';

/** `/docs/player`: the Markdown file, with this installation's address and version in its examples. */
export function renderPlayerPage(embedUrl: string): Page {
  const { fileName, integrity } = playerScript;
  const [, title = 'The player', text = source] = /^# ([^\n]+)\n(.*)$/s.exec(source) ?? [];
  const here = text
    .replaceAll(exampleOrigin, embedUrl)
    .replaceAll('v1.VERSION.js', fileName)
    .replaceAll('sha384-INTEGRITY', integrity);
  return createDocsPage({ path: '/docs/player', title, body: renderMarkdown(here) });
}
