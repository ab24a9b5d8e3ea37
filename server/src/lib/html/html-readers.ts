import { createRequire } from 'node:module';

// Control characters except tab and newline, lone surrogates, and the two code points that XML 1.0
// forbids. No feed can carry them.
const forbidden = /[\p{Cs}\uFFFE\uFFFF[\p{Cc}--[\t\n]]]/gv;

/** Converts line ends to `\n` and drops characters that feeds and pages cannot hold. */
export function removeForbiddenCharacters(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(forbidden, '');
}

type HtmlToText = typeof import('html-to-text');
type HtmlParser = typeof import('htmlparser2');
type SanitizeHtml = typeof import('sanitize-html');

// Loaded on first use: they are some 150 modules, and most commands need none.
const require = createRequire(import.meta.url);
let htmlToText: HtmlToText | undefined;
let htmlParser: HtmlParser | undefined;
let htmlToTextParser: HtmlParser | undefined;
let sanitizeHtml: SanitizeHtml | undefined;

export function loadHtmlToText(): HtmlToText {
  htmlToText ??= require('html-to-text') as HtmlToText;
  return htmlToText;
}

export function loadHtmlParser(): HtmlParser {
  htmlParser ??= require('htmlparser2') as HtmlParser;
  return htmlParser;
}

/** html-to-text's own parser: other versions see nesting differently. */
export function loadHtmlToTextParser(): HtmlParser {
  htmlToTextParser ??= createRequire(require.resolve('html-to-text'))('htmlparser2') as HtmlParser;
  return htmlToTextParser;
}

export function loadSanitizeHtml(): SanitizeHtml {
  sanitizeHtml ??= require('sanitize-html') as SanitizeHtml;
  return sanitizeHtml;
}

/** A server loads them at its start, so that no request waits for it. */
export function loadHtmlReaders(): void {
  loadHtmlToText();
  loadHtmlParser();
  loadHtmlToTextParser();
  loadSanitizeHtml();
}
