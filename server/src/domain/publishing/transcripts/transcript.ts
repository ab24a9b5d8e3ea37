import type { Page } from '../../../lib/list-page.ts';
import { FileError } from '../../foundation/errors.ts';
import type { LeftOut, LeftOutParts } from './left-out.ts';

/** A stored segment of speech: plain text on one line, no markup, no link with a token. */
export interface Segment {
  readonly startMs: number;
  /** Always after startMs, unless the transcript has no times: then both are 0. */
  readonly endMs: number;
  /** Empty if nobody is named. */
  readonly speaker: string;
  readonly text: string;
}

export interface Transcript {
  /** Sorted by startMs; at least one. */
  readonly segments: readonly Segment[];
  /** False: the file says what was said, and not when. */
  readonly hasTimes: boolean;
  /** BCP 47; undefined if the file does not state it. */
  readonly language?: string;
  readonly wordCount: number;
  /** The end of the last segment; 0 without times. */
  readonly durationMs: number;
  /** Undefined: everything in the file was used. */
  readonly leftOut?: LeftOut;
}

export type TranscriptRefusal =
  | 'empty' // no words in it
  | 'too_large'
  | 'too_many_segments'
  | 'not_a_transcript' // another kind of file, or not of its declared type
  | 'damaged' // times that no recording has, JSON that ends in the middle
  | 'language_twice' // a further language that is the first one's
  | 'no_first' // a further language without a first transcript
  | 'too_many_languages';

/** Why a file is not a transcript. `message` is for the person who sent it. */
export class TranscriptError extends FileError<TranscriptRefusal> {}

export const maxTranscriptBytes = 10 * 1024 * 1024;
export const maxSegments = 100_000;
/** Of a file, before empty and repeated cues are left out. YouTube writes each line three times. */
export const maxCues = 3 * maxSegments;
/** Characters of one segment; longer ones are split between words. */
export const maxSegmentLength = 10_000;
/** What one statement reads or writes: more of it would delay all other requests. */
export const segmentsAtOnce = { count: 2_000, chars: 250_000 } as const;
/** Tags in a file of captions: several for each word. */
export const maxTags = 1_000_000;
/** Objects and lists in a file of JSON, several for each segment, and how deep they are nested. */
export const maxJsonContainers = 500_000;
export const maxJsonDepth = 64;
/** The largest integer of the database: some 596 hours. */
export const maxTimeMs = 2 ** 31 - 1;

/** A segment from a format's reader; values that the file does not contain are undefined. */
export interface RawSegment {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly speaker: string;
  readonly text: string;
}

export interface RawTranscript {
  readonly segments: readonly RawSegment[];
  readonly language?: string | undefined;
  readonly leftOut?: LeftOutParts;
}

/** A stored transcript, without its text. */
export interface TranscriptFacts {
  readonly language: string;
  readonly hasTimes: boolean;
  readonly segmentCount: number;
  readonly wordCount: number;
}

export interface TranscriptSegment {
  /** Its position in the transcript, from 0. */
  readonly position: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Empty if nobody is named. */
  readonly speaker: string;
  readonly text: string;
}

export interface TranscriptPage extends Page<TranscriptSegment, number> {
  /** BCP 47. */
  readonly language: string;
  readonly wordCount: number;
  readonly durationMs: number;
  readonly segmentCount: number;
}
