/** Exports only the readers, without a database, so that child processes load less and start sooner. */
export { readChapterComments } from '../chapter-comments.ts';
export { completeChapter } from '../complete-chapters.ts';
export { decodeText } from '../decode-text.ts';
export { parseChapters } from '../parse-chapters.ts';
export { parseTranscript } from '../parse-transcript.ts';
export { refuseHostileText, refuseLongFiles } from '../refuse-hostile-text.ts';
