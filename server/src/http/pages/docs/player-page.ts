import { playerScript } from '../../embed/player-script.ts';
import type { Page } from '../page.ts';
import { createDocumentPage, readDocument } from './document-page.ts';

const source = readDocument('player.md');
const playerOrigin = 'https://podcasts.example.com';
const filesOrigin = 'https://files.example.com';

/** `/docs/player`: the Markdown file, with this installation's URLs and version in its examples. */
export function renderPlayerDocs(embedUrl: string, baseUrl: string): Page {
  const { fileName, integrity } = playerScript;
  const here = source
    .replaceAll(`${playerOrigin} ${filesOrigin}`, [...new Set([embedUrl, baseUrl])].join(' '))
    .replaceAll(playerOrigin, embedUrl)
    .replaceAll(filesOrigin, baseUrl)
    .replaceAll('v1.VERSION.js', fileName)
    .replaceAll('sha384-INTEGRITY', integrity);
  return createDocumentPage('/docs/player', here);
}
