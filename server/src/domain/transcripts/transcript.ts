/** A stretch of speech, as it is stored: plain text on one line, no markup, no link with a token. */
export interface Segment {
  readonly startMs: number;
  /** After startMs, always. */
  readonly endMs: number;
  /** '' when nobody is named. */
  readonly speaker: string;
  readonly text: string;
}

export interface Transcript {
  /** By startMs; at least one. */
  readonly segments: readonly Segment[];
  /** BCP 47, where the file says it. */
  readonly language?: string;
  readonly wordCount: number;
  /** Where the last segment ends. */
  readonly durationMs: number;
}

export type TranscriptRefusal =
  | 'empty' // no words in it
  | 'too_large'
  | 'too_many_segments'
  | 'not_a_transcript' // another kind of file, or not what its declared type promises
  | 'damaged'; // times that no recording has, JSON that ends in the middle

/** Why a file is no transcript. `message` is for the person who sent it. */
export class TranscriptError extends Error {
  readonly reason: TranscriptRefusal;

  constructor(reason: TranscriptRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TranscriptError';
    this.reason = reason;
  }
}

export const maxTranscriptBytes = 10 * 1024 * 1024;
export const maxSegments = 100_000;
/** What the database's integers hold: some 596 hours. */
export const maxTimeMs = 2 ** 31 - 1;

/** A segment as a format's reader finds it: what the format leaves out is not there yet. */
export interface RawSegment {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly speaker: string;
  readonly text: string;
}

export interface RawTranscript {
  readonly segments: readonly RawSegment[];
  readonly language?: string | undefined;
}
