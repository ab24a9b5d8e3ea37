/** Owns what is said and when: transcripts, and the chapters of an episode. */
export { type Chapter, ChaptersError, type ChaptersRefusal } from './chapter.ts';
export { completeChapters, type RawChapter } from './complete-chapters.ts';
export { formatSrt, formatTranscriptJson, formatVtt } from './format-transcript.ts';
export { formatChaptersJson, parseChapters } from './parse-chapters.ts';
export { parseTranscript } from './parse-transcript.ts';
export {
  findChapters,
  findPublishedTranscript,
  setChapters,
  setTranscript,
} from './set-transcript.ts';
export {
  type Segment,
  type Transcript,
  TranscriptError,
  type TranscriptRefusal,
} from './transcript.ts';
