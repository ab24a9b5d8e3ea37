import { escapeText } from '../escape.ts';
import { tryNormalizeLink } from './link.ts';
import { removeForbiddenCharacters } from './text.ts';

/**
 * Plain text as show notes: blank lines separate paragraphs, other line ends become `<br />`, URLs
 * (http, https) become links. sanitizeShowNotes does not change the result. Empty text gives ''.
 */
export function plainTextToHtml(text: string): string {
  return removeForbiddenCharacters(text)
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.split('\n').map(linkAddresses).join('<br />\n')}</p>`)
    .join('\n');
}

const address = /\bhttps?:\/\/[^\s<>"]{1,4000}/gi;

function linkAddresses(line: string): string {
  let html = '';
  let done = 0;
  for (const { 0: found, index } of line.matchAll(address)) {
    const text = withoutTail(found);
    const href = tryNormalizeLink(text, ['http:', 'https:']);
    if (href === undefined) continue;
    html += `${escapeText(line.slice(done, index))}<a href="${escapeText(href)}" rel="nofollow noopener">${escapeText(text)}</a>`;
    done = index + text.length;
  }
  return html + escapeText(line.slice(done));
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
