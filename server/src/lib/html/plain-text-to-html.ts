import { escapeText } from '../escape.ts';
import { removeForbiddenCharacters } from './html-readers.ts';
import { tryNormalizeLink } from './link.ts';

/**
 * Plain text as show notes: blank lines separate paragraphs, other line ends become `<br />`, URLs
 * (http, https) become links, the first thousand. sanitizeShowNotes does not change the result. Empty
 * text gives ''.
 */
export function plainTextToHtml(text: string): string {
  return linkAddresses(removeForbiddenCharacters(text))
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />\n')}</p>`)
    .join('\n');
}

const address = /\bhttps?:\/\/[^\s<>"]{1,4000}/gi;

/** Parsing an address takes time. */
const mostAddresses = 1_000;

function linkAddresses(text: string): string {
  let html = '';
  let done = 0;
  let seen = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    seen += 1;
    if (seen > mostAddresses) break;
    const url = withoutTail(found);
    const href = tryNormalizeLink(url, ['http:', 'https:']);
    if (href === undefined) continue;
    html += `${escapeText(text.slice(done, index))}<a href="${escapeText(href)}" rel="nofollow noopener">${escapeText(url)}</a>`;
    done = index + url.length;
  }
  return html + escapeText(text.slice(done));
}

/** A period or closing bracket after a URL belongs to the sentence. */
function withoutTail(found: string): string {
  const unopened: Record<string, number> = {
    ')': found.split(')').length - found.split('(').length,
    ']': found.split(']').length - found.split('[').length,
  };
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    const excess = unopened[last];
    if (excess === undefined ? !/[.,;:!?'’”»…]/.test(last) : excess <= 0) break;
    if (excess !== undefined) unopened[last] = excess - 1;
  }
  return found.slice(0, end);
}
