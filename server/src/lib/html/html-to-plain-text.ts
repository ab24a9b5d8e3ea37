import { loadHtmlToText, removeForbiddenCharacters } from './html-readers.ts';
import { limitNesting } from './limit-nesting.ts';

/**
 * HTML as plain text: a blank line between paragraphs, list items with a dash, links as `text
 * (address)`, no added line breaks. Never throws; truncates absurdly deep or large input (over a
 * million characters).
 */
export function htmlToPlainText(html: string): string {
  convert ??= createConverter();
  const text = removeForbiddenCharacters(convert(limitNesting(html.slice(0, maxInputLength))));
  return (
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      // html-to-text puts a space before list numbers at the start of a line.
      .replace(/^ (?=\d+\. )/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

const maxInputLength = 1_000_000;
const heading = { format: 'heading', options: { uppercase: false } };

let convert: ((html: string) => string) | undefined;

const createConverter = () =>
  loadHtmlToText().compile({
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
