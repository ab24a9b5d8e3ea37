import { createHash } from 'node:crypto';
import type { ReadingContext } from '../../foundation/read-foreign.ts';
import { sanitizeNotes } from '../../publishing/podcasts/index.ts';

/**
 * Which show notes sanitizing leaves as they are. It takes as long as everything else of an episode, so it
 * happens before the transaction, in which an embedded database serves nobody. By their hashes, because what
 * is in the table may be something else than what was read.
 */
export class CleanNotes {
  readonly #hashes = new Set<string>();

  async note(ctx: ReadingContext, html: string): Promise<void> {
    if (this.#hashes.has(hashOf(html))) return;
    if ((await sanitizeNotes(ctx, html)).showNotesHtml === html) this.#hashes.add(hashOf(html));
  }

  has(html: string): boolean {
    return this.#hashes.has(hashOf(html));
  }
}

const hashOf = (html: string) => createHash('sha256').update(html).digest('base64');
