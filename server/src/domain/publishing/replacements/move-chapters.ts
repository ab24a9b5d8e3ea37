import type { Chapter } from '../transcripts/index.ts';
import type { MatchedPart } from './alignment/align-audio.ts';
import { AudioMapping } from './audio-mapping.ts';

export interface MovedChapters {
  readonly chapters: readonly Chapter[];
  /** Chapters of which nothing is left in the new audio, unchanged. */
  readonly lost: readonly Chapter[];
}

/** A chapter of which less is left counts as lost. */
const leastChapterMs = 1000;
/**
 * A pause before a chapter's first words belongs to the chapter, even if the pause was not matched.
 */
const longestPauseMs = 2000;

/**
 * Moves chapters, in order of time, to their places in the new audio. A chapter whose beginning was
 * cut begins where the rest of it does.
 */
export function moveChapters(
  before: readonly Chapter[],
  parts: readonly MatchedPart[],
  oldDurationMs: number,
): MovedChapters {
  const mapping = new AudioMapping(parts);
  const ends = endsOf(before, oldDurationMs);
  const chapters: Chapter[] = [];
  const lost: Chapter[] = [];
  for (const [index, chapter] of before.entries()) {
    const untilMs = ends[index] as number;
    const startMs = tryMoveStart(mapping, chapter.startMs, untilMs);
    if (startMs === undefined) lost.push(chapter);
    else chapters.push(withTimes(chapter, startMs, parts));
  }
  return { chapters, lost };
}

/** A chapter lasts until a later one begins; several may begin at the same time. */
function endsOf(chapters: readonly Chapter[], durationMs: number): number[] {
  const ends: number[] = [];
  let next = durationMs;
  for (let index = chapters.length - 1; index >= 0; index -= 1) {
    const { startMs } = chapters[index] as Chapter;
    const later = chapters[index + 1]?.startMs ?? durationMs;
    if (later > startMs) next = later;
    ends[index] = Math.max(next, startMs + 1);
  }
  return ends;
}

function tryMoveStart(mapping: AudioMapping, startMs: number, untilMs: number): number | undefined {
  const leastMs = Math.min(leastChapterMs, (untilMs - startMs) / 2);
  const pieces = mapping.piecesOf(startMs, untilMs);
  const piece = pieces.find(({ matchedMs }) => matchedMs >= leastMs);
  if (piece === undefined) return undefined;
  const pauseMs = piece.oldStartMs - startMs;
  if (piece !== pieces[0] || pauseMs > longestPauseMs) return piece.startMs;
  return Math.max(Math.round(mapping.endBefore), Math.round(piece.startMs - pauseMs));
}

function withTimes(chapter: Chapter, startMs: number, parts: readonly MatchedPart[]): Chapter {
  const { endMs: oldEndMs, ...rest } = chapter;
  if (oldEndMs === undefined) return { ...rest, startMs };
  // The last part that is left before the chapter's end.
  const part = parts.findLast(({ oldStartMs }) => oldStartMs < oldEndMs);
  if (part === undefined) return { ...rest, startMs };
  const lengthMs = Math.min(oldEndMs, part.oldEndMs) - part.oldStartMs;
  const endMs = Math.round(part.newStartMs + lengthMs);
  return endMs > startMs ? { ...rest, startMs, endMs } : { ...rest, startMs };
}
