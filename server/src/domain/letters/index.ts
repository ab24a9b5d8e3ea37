/** Letters: their words, and the queue they are sent from, each once. Table: letters. */

export { countLetters, type LetterCounts } from './count-letters.ts';
export type { LetterTemplate, LetterValues } from './letter-templates.ts';
export { type NewLetter, queueLetter } from './queue-letter.ts';
export { sendLettersJob } from './send-letters.job.ts';
export { sendLetters } from './send-letters.ts';
