import type { Page } from '../../../lib/page.ts';

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
