import { chainRuns } from './chain-runs.ts';
import { bestScore } from './compare-frames.ts';
import { type Envelope, framesPerSecond } from './envelope.ts';
import { findAnchors } from './find-anchors.ts';
import { findRuns, type Run } from './find-runs.ts';
import { fingerprintsOf } from './fingerprints.ts';
import { prepareEnvelope } from './prepared-envelope.ts';
import { settleOverlaps } from './settle-overlaps.ts';

/** A stretch of the old recording that is in the new one. */
export interface MatchedPart {
  readonly oldStartMs: number;
  /** Exclusive. */
  readonly oldEndMs: number;
  readonly newStartMs: number;
  /** 0 to 1: how alike the stretch sounds. */
  readonly confidence: number;
}

const frameMs = 1000 / framesPerSecond;
/**
 * The longest gap between two matches that is part of them, such as a word that was bleeped out.
 */
const longestBridge = 2 * framesPerSecond;
/** The longest fade before the first match or after the last one. */
const longestEdge = framesPerSecond;
/** With fewer matched frames it is only a jingle that both recordings have. */
const leastMatchedFrames = 4 * framesPerSecond;
const leastMatchedShare = 0.2;

/**
 * Finds the parts of the old recording in the new one: in order, without overlaps in either.
 * Ambiguous parts are not matched. Undefined if these are different recordings, or if nothing in
 * them can be recognized. Almost linear in the lengths.
 */
export function alignAudio(old: Envelope, fresh: Envelope): MatchedPart[] | undefined {
  const before = prepareEnvelope(old);
  const after = prepareEnvelope(fresh);
  const anchors = findAnchors(fingerprintsOf(before), fingerprintsOf(after));
  const chain = chainRuns(findRuns(before, after, anchors));
  const runs = bridgeGaps(settleOverlaps(chain, before, after));
  const matched = runs.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0);
  const shorter = Math.min(old.frames, fresh.frames);
  if (matched < Math.max(leastMatchedFrames, shorter * leastMatchedShare)) return undefined;
  return reachEdges(runs, old.frames, fresh.frames).map(toPart);
}

function bridgeGaps(runs: readonly Run[]): Run[] {
  const bridged: Run[] = [];
  for (const run of runs) {
    const last = bridged.at(-1);
    const fits =
      last !== undefined &&
      last.offset === run.offset &&
      run.oldStart - last.oldEnd <= longestBridge;
    if (!fits) bridged.push(run);
    else bridged.splice(-1, 1, { ...last, oldEnd: run.oldEnd, score: last.score + run.score });
  }
  return bridged;
}

function reachEdges(runs: readonly Run[], oldFrames: number, newFrames: number): Run[] {
  return runs.map((run, index) => {
    const lead = Math.min(run.oldStart, run.oldStart + run.offset);
    const rest = Math.min(oldFrames - run.oldEnd, newFrames - run.oldEnd - run.offset);
    return {
      ...run,
      oldStart: index === 0 && lead <= longestEdge ? run.oldStart - lead : run.oldStart,
      oldEnd: index === runs.length - 1 && rest <= longestEdge ? run.oldEnd + rest : run.oldEnd,
    };
  });
}

function toPart({ oldStart, oldEnd, offset, score }: Run): MatchedPart {
  return {
    oldStartMs: oldStart * frameMs,
    oldEndMs: oldEnd * frameMs,
    newStartMs: (oldStart + offset) * frameMs,
    confidence: Math.max(0, Math.min(1, score / ((oldEnd - oldStart) * bestScore))),
  };
}
