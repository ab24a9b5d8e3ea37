import type { Token, Tokens } from 'marked';
import { escapeHtml } from '../../../lib/escape.ts';

/** How each part of an email's Markdown is rendered. Arguments are already rendered. */
export interface Notation {
  text(text: string): string;
  strong(written: string): string;
  link(written: string, href: string): string;
  paragraph(written: string): string;
  /** A paragraph that is only a link: the email's main action. */
  button(written: string, href: string): string;
  list(items: readonly string[]): string;
}

/**
 * Renders Markdown. `fill` inserts values after parsing, so that no value is read as Markdown.
 * Throws for elements that emails do not support.
 */
export function writeMarkdown(
  tokens: readonly Token[],
  notation: Notation,
  fill: (text: string) => string,
): string {
  const writeAll = (parts: readonly Token[] = []): string => parts.map(write).join('');
  const write = (token: Token): string => {
    switch (token.type) {
      case 'space':
        return '';
      case 'text':
        return token.tokens ? writeAll(token.tokens) : notation.text(fill(onOneLine(token.text)));
      case 'strong':
        return notation.strong(writeAll(token.tokens));
      case 'link':
        return notation.link(writeAll(token.tokens), fill(token.href));
      case 'paragraph':
        return writeParagraph(token as Tokens.Paragraph);
      case 'list':
        return notation.list((token as Tokens.List).items.map(({ tokens }) => writeAll(tokens)));
      default:
        throw new Error(`emails do not support Markdown's ${token.type}`);
    }
  };
  const writeParagraph = ({ tokens }: Tokens.Paragraph): string => {
    const [first, ...others] = tokens;
    if (first?.type !== 'link' || others.length > 0) return notation.paragraph(writeAll(tokens));
    return notation.button(writeAll(first.tokens), fill(first.href));
  };
  return writeAll(tokens);
}

const onOneLine = (text: string): string => text.replaceAll('\n', ' ');

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
