import { podcastFields } from '../../../../lib/fields/podcast-fields.ts';
import { invalid } from '../../../foundation/errors.ts';
import type { ReadingContext } from '../../../foundation/read-foreign.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import { sanitizeNotes } from './clean-long-notes.ts';

const { max } = podcastFields.pageText;

/**
 * Sanitizes the text of a show's page like show notes; null if nothing remains. Escaping may lengthen it, so
 * the limit applies to the result, too.
 */
export async function cleanPageText(
  ctx: ReadingContext,
  html: string | null,
): Promise<string | null> {
  // What is too long is refused with all other problems, and need not be read for that.
  if (html === null || html.length > max) return html;
  const { showNotesHtml } = await sanitizeNotes(ctx, html);
  if (showNotesHtml === null || showNotesHtml.trim() === '') return null;
  if (showNotesHtml.length > max)
    throw invalid('page_text', sayRefusal('max_length', { limit: max }));
  return showNotesHtml;
}
