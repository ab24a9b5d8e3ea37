/** Exports only the readers, without a database, so that child processes load less and start sooner. */

export { completeChapter } from '../complete-chapters.ts';
export { decodeText } from '../decode-text.ts';
export { parseChapters, readChapterComments } from '../parse-chapters.ts';
export { parseTranscript } from '../parse-transcript.ts';
export { refuseHostileText, refuseLongFiles } from '../refuse-hostile-text.ts';
