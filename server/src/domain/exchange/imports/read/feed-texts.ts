import { htmlToPlainText } from '../../../../lib/html/html-to-plain-text.ts';
import { plainTextToHtml } from '../../../../lib/html/plain-text-to-html.ts';
import { maxShowNotesLength, sanitizeShowNotes } from '../../../../lib/html/sanitize-show-notes.ts';
import { shorten } from '../../../../lib/shorten.ts';

/** A tag, or a character reference from double escaping. */
const markup = /<\/?[a-z][^<>]*>|&(?:[a-z]{2,8}|#\d{2,6}|#x[0-9a-f]{2,6});/i;

/** The plain text of a feed's text, which may be HTML or plain. */
export function readPlainText(text: string, maxLength: number): string {
  return shorten(markup.test(text) ? htmlToPlainText(text) : text.trim(), maxLength);
}

/** The same as sanitized show notes. Text that is too long loses its end or its markup. */
export function readFeedShowNotes(text: string): string {
  const html = markup.test(text) ? text : plainTextToHtml(text);
  for (let length = maxShowNotesLength; ; length = Math.floor(length / 2)) {
    const isWhole = length === maxShowNotesLength;
    const notes = isWhole ? html.slice(0, length) : plainTextToHtml(readPlainText(html, length));
    try {
      return sanitizeShowNotes(notes);
    } catch (error) {
      // Escaping lengthens a text.
      if (!(error instanceof RangeError)) throw error;
    }
  }
}
