import type { ReplacementState } from '../../foundation/enumerations.ts';
import type { MatchedPart } from './alignment/align-audio.ts';

/** Audio that is to replace an episode's. */
export interface Replacement {
  readonly id: string;
  readonly episodeId: string;
  readonly state: ReplacementState;
  /** The SHA-256 of the audio that it is to replace. */
  readonly replacesSha256: string;
  readonly blobKey: string;
  readonly contentType: string;
  readonly extension: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
  readonly sha256: string;
  readonly bitrateBps: number;
  readonly leadingTagBytes: number;
  /** The parts of the old audio in this one; null unless `aligned`. */
  readonly parts: readonly MatchedPart[] | null;
  /** Like those of a waveform; null until they are known. */
  readonly peaks: Uint8Array | null;
  readonly expiresAt: Date;
}

/** How long a proposal lives: as long as an unused upload. */
export const replacementLifeMs = 24 * 3_600_000;
