import { compile } from 'html-to-text';
import { removeForbiddenCharacters } from './text.ts';

/**
 * The words of some HTML, for readers without any: paragraphs a blank line apart, list items with a
 * dash, links as `text (address)`, no line broken that was not. Never throws: absurdly deep or
 * large input (over a million characters) is cut short.
 */
export function htmlToPlainText(html: string): string {
  const text = removeForbiddenCharacters(convert(html.slice(0, maxInputLength)));
  return (
    text
      .replace(/[ \t]+$/gm, '')
      // Numbers of a list that begins the line come with a space in front.
      .replace(/^ (?=\d+\. )/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

const maxInputLength = 1_000_000;
const heading = { format: 'heading', options: { uppercase: false } };

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 60 },
  selectors: [
    {
      selector: 'a',
      options: { linkBrackets: ['(', ')'], hideLinkHrefIfSameAsText: true, noAnchorUrl: true },
    },
    { selector: 'img', format: 'skip' },
    { selector: 'hr', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'table', format: 'block' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['td', 'th'].map((selector) => ({
      selector,
      format: 'inlineSurround',
      options: { suffix: ' ' },
    })),
    { selector: 'ul', options: { itemPrefix: '- ' } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...heading })),
    ...['script', 'style', 'title', 'noscript', 'template', 'iframe', 'textarea'].map(
      (selector) => ({
        selector,
        format: 'skip',
      }),
    ),
  ],
});
