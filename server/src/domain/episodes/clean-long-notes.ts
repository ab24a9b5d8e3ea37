import { ThreadReserve } from '../../platform/threads/thread-reserve.ts';
import { type CleanShowNotes, refuseLongNotes } from './show-notes.ts';

const script = new URL('./notes-thread.ts', import.meta.url);
const threads = new ThreadReserve(script, { heapMb: 128, cpuMs: 10_000, answerWithinMs: 60_000 });

/** Sanitizing shorter notes takes a few milliseconds, so it does not need a thread. */
const longChars = 20_000;

/** One at a time: there is at most one thread, however many long notes are sent. */
let last: Promise<unknown> = Promise.resolve();

export function areLongNotes(html: string | null | undefined): html is string {
  return html != null && html.length > longChars;
}

/** Sanitizes long show notes in a thread. */
export function cleanLongNotes(html: string): Promise<CleanShowNotes> {
  const cleaned = last.then(() => clean(html));
  last = cleaned.catch(() => undefined);
  return cleaned;
}

async function clean(html: string): Promise<CleanShowNotes> {
  await using thread = threads.borrow();
  try {
    return await thread.ask<CleanShowNotes>('clean', html);
  } catch (error) {
    // Errors of a thread come as plain objects.
    throw (error as Error).name === 'RangeError' ? refuseLongNotes() : error;
  }
}
