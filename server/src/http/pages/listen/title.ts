import { type Html, html } from '../../responses/html.ts';
import { baseLanguageOf } from '../page-language.ts';

/** Longer texts are not titles, and segmentation is slow. */
const longestSegmented = 400;

/** A word that is wider than a line at full size, and would break at any letter. */
const longWord = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]{15}/u;

/** It would fill a phone's screen. */
export const isEndless = (title: string) => title.length > 160;

/** A class for titles that would fill a phone's screen at full size, or break in the middle of a word. */
export function titleSize(title: string): 'title' | 'title long' | 'title endless' {
  if (isEndless(title)) return 'title endless';
  return title.length > 60 || longWord.test(title) ? 'title long' : 'title';
}

/** Spaces before or after such a mark, as French has them. No line begins with the one or ends with the other. */
const besideMark = / (?=[:;!?»])|(?<=«) /g;

/**
 * Renders a title with break opportunities. Japanese has no spaces and browsers break it inside
 * words, so the page keeps words whole and allows breaks between them.
 */
export function renderTitle(written: string, language: string): Html {
  const title = written.replace(besideMark, '\u00A0');
  if (baseLanguageOf(language) !== 'ja' || title.length > longestSegmented) return html`${title}`;
  const [first = '', ...rest] = splitPhrases(title);
  return html`${first}${rest.map((phrase) => html`<wbr>${phrase}`)}`;
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
/**
 * Endings, particles and closing marks stay with the word before them, opening marks with the next. No
 * line begins with a small letter: those that ICU doesn't know as words are cut before one.
 */
const leans =
  /^(?:[\p{sc=Hiragana}ー々、。，．！？!?：；」』）】〉》)\]…・]+$|[ァィゥェォッャュョヮー])/u;
const opens = /^[「『（【〈《([]+$/u;

function splitPhrases(title: string): string[] {
  const phrases: string[] = [];
  let isOpen = false;
  for (const { segment } of segmenter.segment(title)) {
    const last = phrases.at(-1);
    if (last !== undefined && (isOpen || leans.test(segment)))
      phrases.push(`${phrases.pop()}${segment}`);
    else phrases.push(segment);
    isOpen = opens.test(segment);
  }
  return phrases;
}
