import type { MatchedPart } from '../alignment/align-audio.ts';

export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** Shorter differences are not audible. */
const leastMs = 100;

/** The stretches that are only in the old audio, and those that are only in the new. */
export function listDifferences(
  parts: readonly MatchedPart[],
  oldDurationMs: number,
  newDurationMs: number,
): { removed: TimeSpan[]; added: TimeSpan[] } {
  const old = parts.map(({ oldStartMs, oldEndMs }) => ({ startMs: oldStartMs, endMs: oldEndMs }));
  const fresh = parts.map(({ oldStartMs, oldEndMs, newStartMs }) => ({
    startMs: newStartMs,
    endMs: newStartMs + oldEndMs - oldStartMs,
  }));
  return { removed: gapsOf(old, oldDurationMs), added: gapsOf(fresh, newDurationMs) };
}

function gapsOf(spans: readonly TimeSpan[], durationMs: number): TimeSpan[] {
  const starts = [...spans.map(({ startMs }) => startMs), durationMs];
  const ends = [0, ...spans.map(({ endMs }) => endMs)];
  return starts
    .map((endMs, index) => ({ startMs: ends[index] as number, endMs }))
    .filter(({ startMs, endMs }) => endMs - startMs >= leastMs);
}
