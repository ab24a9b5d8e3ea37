import { escapeHtml } from '../../lib/escape.ts';
import type { Notation } from './write-markdown.ts';

export const htmlNotation: Notation = {
  text: escapeHtml,
  strong: (written) => `<strong>${written}</strong>`,
  link: (written, href) => `<a href="${escapeHtml(href)}">${written}</a>`,
  paragraph: (written) => `<p>${written}</p>\n`,
  button: (written, href) =>
    `<p class="button"><a href="${escapeHtml(href)}">${written}</a></p>\n` +
    `<p class="address">${escapeHtml(href)}</p>\n`,
  list: (items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>\n`,
};

/** One line for each paragraph; mail programs wrap it. */
export const textNotation: Notation = {
  text: (text) => text,
  strong: (written) => written,
  link: (written, href) => `${written} (${href})`,
  paragraph: (written) => `${written}\n\n`,
  button: (written, href) => `${written}:\n${href}\n\n`,
  list: (items) => `${items.map((item) => `- ${item}`).join('\n')}\n\n`,
};
