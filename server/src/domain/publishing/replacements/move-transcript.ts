import type { Segment } from '../transcripts/index.ts';
import type { MatchedPart } from './alignment/align-audio.ts';
import { AudioMapping, type Piece } from './audio-mapping.ts';

export interface MovedSegments {
  /** In the order of the old audio. */
  readonly segments: readonly Segment[];
  /**
   * The number of segments that have lost part of their time: their text may say more than the
   * audio.
   */
  readonly shortened: number;
  /** Segments that are not in the new audio, or less than half of them, unchanged. */
  readonly lost: readonly Segment[];
}

const leastShare = 0.5;
const wholeShare = 0.9;

/**
 * Moves the segments of one transcript. Call it in order of time, for as many at once as you like.
 */
export class SegmentMover {
  readonly #mapping: AudioMapping;

  constructor(parts: readonly MatchedPart[]) {
    this.#mapping = new AudioMapping(parts);
  }

  /** If something was inserted into a segment, it keeps its longer part. */
  move(before: readonly Segment[]): MovedSegments {
    const segments: Segment[] = [];
    const lost: Segment[] = [];
    let shortened = 0;
    for (const segment of before) {
      const pieces = this.#mapping.piecesOf(segment.startMs, segment.endMs);
      const longest = longestOf(pieces);
      const matchedMs = pieces.reduce((sum, piece) => sum + piece.matchedMs, 0);
      const share = matchedMs / (segment.endMs - segment.startMs);
      if (longest === undefined || share < leastShare) {
        lost.push(segment);
        continue;
      }
      if (share < wholeShare) shortened += 1;
      const { startMs, endMs } = longest;
      segments.push({ ...segment, startMs, endMs: Math.max(startMs + 1, endMs) });
    }
    return { segments, shortened, lost };
  }
}

function longestOf(pieces: readonly Piece[]): Piece | undefined {
  let longest = pieces[0];
  for (const piece of pieces) {
    if (longest === undefined || piece.matchedMs > longest.matchedMs) longest = piece;
  }
  return longest;
}
