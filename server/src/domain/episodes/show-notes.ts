import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts';
import { maxShowNotesLength, sanitiseShowNotes } from '../../lib/html/sanitise-show-notes.ts';
import { invalid } from '../errors.ts';

/** Show notes as they are kept: HTML that is safe everywhere, and the same as text. */
export interface ShowNotes {
  readonly showNotesHtml: string | null;
  readonly showNotes: string | null;
}

/** Sanitises on the way in. Escaping may lengthen a text, so the bound is asked of the result. */
export function cleanShowNotes(html: string | null): ShowNotes {
  if (html === null) return { showNotesHtml: null, showNotes: null };
  try {
    const showNotesHtml = sanitiseShowNotes(html);
    return { showNotesHtml, showNotes: htmlToPlainText(showNotesHtml) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `Show notes have at most ${maxShowNotesLength} characters.`;
    throw invalid('show_notes_html', message);
  }
}
