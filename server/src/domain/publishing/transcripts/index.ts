/** Transcripts and chapters of episodes: what is said and when. */
export { changeSegments, readSegments, type SegmentsChange } from './change-segments.ts';
export { type Chapter, ChaptersError, type ChaptersRefusal, maxChapters } from './chapter.ts';
export {
  checkChapters,
  completeChapters,
  type ParsedChapters,
  type RawChapter,
} from './complete-chapters.ts';
export { decodeText } from './decode-text.ts';
export {
  editTranscript,
  readWholeTranscript,
  type WholeTranscript,
} from './edit-transcript.ts';
export { findQuote, type Quote } from './find-quote.ts';
export {
  formatSrt,
  formatTranscriptHtml,
  formatTranscriptJson,
  formatVtt,
} from './format-transcript.ts';
export { describeLeftOut, type LeftOut, nothingLeftOut } from './left-out.ts';
export { formatChaptersJson, parseChapters } from './parse-chapters.ts';
export { parseTranscript } from './parse-transcript.ts';
export { readChapters, readTranscriptPage } from './read-transcript.ts';
export {
  findChapters,
  findPublishedLanguage,
  findPublishedTranscript,
  findTranscript,
  findTranscriptFacts,
  listFurtherTranscriptFacts,
  maxFurtherLanguages,
  measurePublishedTranscript,
  measureTranscript,
  removeChapters,
  removeTranscript,
  setChapters,
  setFirstChapters,
  setFurtherTranscript,
  setFurtherTranscripts,
  setTranscript,
} from './set-transcript.ts';
export { TextReader } from './text-reader.ts';
export {
  maxSegmentLength,
  maxSegments,
  maxTranscriptBytes,
  type Segment,
  segmentsAtOnce,
  type Transcript,
  TranscriptError,
  type TranscriptFacts,
  type TranscriptPage,
  type TranscriptRefusal,
  type TranscriptSegment,
} from './transcript.ts';
export { countSegmentBytes } from './transcripts.sql.ts';
