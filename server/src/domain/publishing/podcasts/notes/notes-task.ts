import { htmlToPlainText } from '../../../../lib/html/html-to-plain-text.ts';
import { sanitizeShowNotes } from '../../../../lib/html/sanitize-show-notes.ts';
import type { CleanShowNotes } from './show-notes.ts';

/** In a child process: sanitizes long show notes. */
export async function* clean(html: string): AsyncGenerator<CleanShowNotes> {
  const showNotesHtml = sanitizeShowNotes(html);
  yield { showNotesHtml, showNotes: htmlToPlainText(showNotesHtml) };
}
