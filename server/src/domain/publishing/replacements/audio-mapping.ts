import type { MatchedPart } from './alignment/align-audio.ts';

/** A shorter insertion does not divide a stretch. */
const longestGapMs = 2000;
/** The most parts of one sentence or chapter: nobody edits it in more places. */
const maxParts = 100;

/** A stretch of the new audio, and where it begins in the old audio. */
export interface Piece {
  readonly oldStartMs: number;
  readonly startMs: number;
  readonly endMs: number;
  /** How much of it is also in the old audio. */
  readonly matchedMs: number;
}

/**
 * Maps times of the old audio to the new audio. Ask in the order of start times, so that all
 * questions together look at each part once or twice.
 */
export class AudioMapping {
  readonly #parts: readonly MatchedPart[];
  #next = 0;

  constructor(parts: readonly MatchedPart[]) {
    this.#parts = parts;
  }

  /**
   * The parts of a stretch of the old audio that are left, divided where something long was
   * inserted.
   */
  piecesOf(startMs: number, endMs: number): Piece[] {
    while ((this.#parts[this.#next]?.oldEndMs ?? Number.POSITIVE_INFINITY) <= startMs) {
      this.#next += 1;
    }
    const pieces: Piece[] = [];
    for (const part of this.#parts.slice(this.#next, this.#next + maxParts)) {
      if (part.oldStartMs >= endMs) break;
      const piece = cutOut(part, startMs, endMs);
      const last = pieces.at(-1);
      if (last === undefined || piece.startMs - last.endMs > longestGapMs) pieces.push(piece);
      else pieces.splice(-1, 1, unite(last, piece));
    }
    return pieces;
  }

  /** The time in the new audio at which the last part before the last stretch ends. */
  get endBefore(): number {
    const part = this.#parts[this.#next - 1];
    return part === undefined ? 0 : part.newStartMs + part.oldEndMs - part.oldStartMs;
  }
}

function cutOut(part: MatchedPart, startMs: number, endMs: number): Piece {
  const oldStartMs = Math.max(part.oldStartMs, startMs);
  const oldEndMs = Math.min(part.oldEndMs, endMs);
  const offset = part.newStartMs - part.oldStartMs;
  return {
    oldStartMs,
    startMs: Math.round(oldStartMs + offset),
    endMs: Math.round(oldEndMs + offset),
    matchedMs: oldEndMs - oldStartMs,
  };
}

function unite(earlier: Piece, piece: Piece): Piece {
  const matchedMs = earlier.matchedMs + piece.matchedMs;
  return { ...earlier, endMs: piece.endMs, matchedMs };
}
