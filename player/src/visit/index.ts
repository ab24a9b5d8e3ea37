import { readPage } from './page-info.ts';
import { Visit } from './visit.ts';

declare global {
  interface Window {
    /** For the script of the page, `listen.js`. */
    podsteadVisit?: Visit;
  }
}

const page = readPage(document);
if (page) window.podsteadVisit = new Visit(page);
