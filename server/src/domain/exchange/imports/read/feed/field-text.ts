import { decodeReferences } from './character-references.ts';
import type { FeedElement } from './feed-element.ts';

const LINE_CHARS = 1_000;
const HTML_CHARS = 1_000_000;
const URL_CHARS = 4_096;

/**
 * Characters that XML 1.0 forbids and PostgreSQL partly refuses: controls, half surrogate pairs.
 */
const FORBIDDEN = /[\uFFFE\uFFFF\p{Cs}[\p{Cc}--[\t\n\r\x7F-\x9F]]]/gv;

export function dropForbidden(text: string): string {
  return text.replace(FORBIDDEN, '');
}

/** At most `chars` UTF-16 units; never cuts a surrogate pair. */
export function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? chars - 1 : chars).trimEnd();
}

/** One line of plain text; undefined if it is empty. */
export function tryParseLine(text: string | undefined, chars = LINE_CHARS): string | undefined {
  if (text === undefined) return undefined;
  const line = cutText(dropForbidden(text).replace(/\s+/g, ' ').trim(), chars);
  return line === '' ? undefined : line;
}

/**
 * A plain text of one line, such as a title. XML knows no references in CDATA, but nearly every
 * feed that writes `&amp;` there means `&`. Outside CDATA the references are resolved already.
 */
export function readLine(element: FeedElement | undefined, chars = LINE_CHARS): string | undefined {
  if (element === undefined) return undefined;
  return tryParseLine(element.hasCdata ? decodeReferences(element.text) : element.text, chars);
}

/** A longer text, perhaps HTML, unchanged except that line ends become `\n`. */
export function readBlock(
  element: FeedElement | undefined,
  chars = HTML_CHARS,
): string | undefined {
  if (element === undefined) return undefined;
  const block = cutText(dropForbidden(element.text).replace(/\r\n?/g, '\n').trim(), chars);
  return block === '' ? undefined : block;
}

/** The first of the elements with a text. */
export function readFirstLine(
  elements: readonly (FeedElement | undefined)[],
  chars = LINE_CHARS,
): string | undefined {
  for (const element of elements) {
    const line = readLine(element, chars);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** An absolute http(s) URL, unchanged except for the space around it. */
export function tryParseWebUrl(text: string | undefined): string | undefined {
  const url = text?.trim() ?? '';
  if (url.length > URL_CHARS || !/^https?:\/\//i.test(url)) return undefined;
  return URL.canParse(url) && dropForbidden(url) === url ? url : undefined;
}

/** `audio/mpeg` of `Audio/MPEG; charset=x`; undefined if it is not a media type. */
export function tryParseMediaType(text: string | undefined): string | undefined {
  const type = text?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : undefined;
}

export function tryParseWholeNumber(text: string | undefined, max: number): number | undefined {
  const digits = text?.trim() ?? '';
  if (!/^\d{1,16}(?:\.0{1,4})?$/.test(digits)) return undefined;
  const number = Number(digits);
  return number <= max ? number : undefined;
}

/** All values that itunes:explicit has had over the years. */
export function tryParseExplicit(text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase();
  if (word === 'yes' || word === 'true' || word === 'explicit' || word === '1') return true;
  if (word === 'no' || word === 'false' || word === 'clean' || word === '0') return false;
  return undefined;
}

/** For tags that can only say yes, such as itunes:block. */
export function isYes(element: FeedElement | undefined): boolean {
  return tryParseChoice(element?.text, ['yes', 'true']) !== undefined;
}

export function tryParseChoice<T extends string>(
  text: string | undefined,
  choices: readonly T[],
): T | undefined {
  const word = text?.trim().toLowerCase();
  return choices.find((choice) => choice === word);
}
