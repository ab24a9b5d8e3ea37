import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts';
import { plainTextToHtml } from '../../lib/html/plain-text-to-html.ts';
import { maxShowNotesLength, sanitiseShowNotes } from '../../lib/html/sanitise-show-notes.ts';

/** A tag, or a character reference left over from escaping once too often. */
const markup = /<\/?[a-z][^<>]*>|&(?:[a-z]{2,8}|#\d{2,6}|#x[0-9a-f]{2,6});/i;

/** Cut at the end of a word where that keeps most of it; never half a character. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1).toWellFormed();
  const space = cut.lastIndexOf(' ');
  const whole = space > maxLength * 0.6 ? cut.slice(0, space) : cut.replace(/\uFFFD$/, '');
  return `${whole.trimEnd()}…`;
}

/** The words of a text that a feed gives as HTML or as plain text, without saying which. */
export function readPlainText(text: string, maxLength: number): string {
  return shorten(markup.test(text) ? htmlToPlainText(text) : text.trim(), maxLength);
}

/** The same as show notes, sanitised. What is too long has to do without its end, or its markup. */
export function readShowNotes(text: string): string {
  const html = markup.test(text) ? text : plainTextToHtml(text);
  for (let length = maxShowNotesLength; ; length = Math.floor(length / 2)) {
    const isWhole = length === maxShowNotesLength;
    const notes = isWhole ? html.slice(0, length) : plainTextToHtml(readPlainText(html, length));
    try {
      return sanitiseShowNotes(notes);
    } catch (error) {
      // Escaping makes a text longer than it was.
      if (!(error instanceof RangeError)) throw error;
    }
  }
}
