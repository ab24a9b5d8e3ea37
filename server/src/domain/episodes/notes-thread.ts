import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts';
import { sanitizeShowNotes } from '../../lib/html/sanitize-show-notes.ts';
import { answerInThread } from '../../platform/threads/answer-in-thread.ts';

// The thread in which long show notes are sanitized.
answerInThread({
  clean(html: string) {
    const showNotesHtml = sanitizeShowNotes(html);
    return { showNotesHtml, showNotes: htmlToPlainText(showNotesHtml) };
  },
});
