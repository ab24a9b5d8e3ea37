import { maxShowNotesLength } from '../../../../lib/html/sanitize-show-notes.ts';
import { type ReadingContext, readForeignPart } from '../../../foundation/read-foreign.ts';
import {
  type CleanShowNotes,
  cleanShowNotes,
  refuseLongNotes,
  type ShowNotes,
} from './show-notes.ts';

const module = new URL('./notes-task.ts', import.meta.url);
const limits = { memoryMb: 512, cpuMs: 10_000, wallMs: 60_000, resultBytes: 4 * 1024 * 1024 };

/** Sanitizing shorter notes takes a few milliseconds, so it does not need a process. */
const longChars = 20_000;
/** Each tag and each reference takes up to 0.1 ms, as much as hundreds of letters. */
const manyMarks = 300;

/** Whether sanitizing the notes would keep other requests waiting. */
export function areLongNotes(html: string | null | undefined): html is string {
  if (html == null) return false;
  return html.length > longChars || html.split(/[<&]/, manyMarks + 2).length > manyMarks + 1;
}

/** Sanitizes long show notes in a child process. */
export async function cleanLongNotes(ctx: ReadingContext, html: string): Promise<CleanShowNotes> {
  if (html.length > maxShowNotesLength) throw refuseLongNotes();
  try {
    const job = { module, task: 'clean', input: html, limits, refuse: refuseLongNotes };
    return await readForeignPart<CleanShowNotes>(ctx, job);
  } catch (error) {
    // Errors of a child are of no class: sanitizing has made the notes too long.
    throw (error as Error).name === 'RangeError' ? refuseLongNotes() : error;
  }
}

/** Sanitizes show notes of any length. */
export async function sanitizeNotes(ctx: ReadingContext, html: string | null): Promise<ShowNotes> {
  return areLongNotes(html) ? await cleanLongNotes(ctx, html) : cleanShowNotes(html, undefined);
}
