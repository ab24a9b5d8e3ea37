import { splitPhrases } from '../../../lib/split-phrases.ts';
import { type Html, html } from '../../responses/html.ts';

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

/** Renders a title with break opportunities: the page lets Japanese and Korean break nowhere else. */
export function renderTitle(written: string, language: string): Html {
  const title = written.replace(besideMark, '\u00A0');
  const [first = '', ...rest] = splitPhrases(title, language);
  return html`${first}${rest.map((phrase) => html`<wbr>${phrase}`)}`;
}
