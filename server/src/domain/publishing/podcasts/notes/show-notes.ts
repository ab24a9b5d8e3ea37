import { htmlToPlainText } from '../../../../lib/html/html-to-plain-text.ts';
import { maxShowNotesLength, sanitizeShowNotes } from '../../../../lib/html/sanitize-show-notes.ts';
import { type DomainError, invalid } from '../../../foundation/errors.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';

/** Output of `sanitizeShowNotes`, and its plain text. */
export interface CleanShowNotes {
  readonly showNotesHtml: string;
  readonly showNotes: string;
}

/** Show notes as they are stored: HTML that is safe everywhere, and its plain text. */
export interface ShowNotes {
  readonly showNotesHtml: string | null;
  readonly showNotes: string | null;
}

/**
 * Sanitizes show notes, unless a caller has done it (`clean`). Escaping may lengthen a text, so the
 * limit applies to the result.
 */
export function cleanShowNotes(html: string | null, clean: CleanShowNotes | undefined): ShowNotes {
  if (clean !== undefined) return clean;
  if (html === null) return { showNotesHtml: null, showNotes: null };
  try {
    const showNotesHtml = sanitizeShowNotes(html);
    return { showNotesHtml, showNotes: htmlToPlainText(showNotesHtml) };
  } catch (error) {
    throw error instanceof RangeError ? refuseLongNotes() : error;
  }
}

export function refuseLongNotes(): DomainError {
  return invalid('show_notes_html', sayRefusal('notes_length', { max: maxShowNotesLength }));
}
