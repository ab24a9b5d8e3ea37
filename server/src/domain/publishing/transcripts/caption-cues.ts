import type { Timing } from './cue-text.ts';
import { maxCues, TranscriptError } from './transcript.ts';

/** A caption as it is in its file: lines with their markup. */
export interface Cue {
  readonly timing: Timing;
  readonly lines: readonly string[];
}

/** Throws TranscriptError if a file has more captions than any real one. */
export function checkCueCount(count: number): void {
  if (count > maxCues) {
    throw new TranscriptError(
      'too_many_segments',
      `A caption file may have at most ${maxCues} captions.`,
    );
  }
}

/** Captions roll up by at most four lines. */
const maxCarried = 4;
/** Between two captions that roll. */
const maxPauseMs = 500;

/**
 * Rolling captions, such as YouTube's, repeat the lines of the caption before. If most captions of
 * a file do, each line is kept once.
 */
export function dropRepeatedLines(cues: readonly Cue[]): readonly Cue[] {
  const shown = cues.map(({ timing, lines }) => ({
    timing,
    lines: lines.filter((line) => visible(line) !== ''),
  }));
  const carried = shown.map((cue, index) => countCarried(shown[index - 1], cue));
  if (!isRolling(shown, carried)) return cues;
  const kept: Cue[] = [];
  for (const [index, { timing, lines }] of shown.entries()) {
    const news = lines.slice(carried[index] ?? 0);
    const before = kept.at(-1);
    if (news.length > 0 || before === undefined) {
      kept.push({ timing, lines: news });
    } else {
      const endMs = Math.max(before.timing.endMs, timing.endMs);
      kept[kept.length - 1] = { ...before, timing: { ...before.timing, endMs } };
    }
  }
  return kept;
}

/** How many lines at the beginning of a caption are the last ones of the caption before. */
function countCarried(before: Cue | undefined, cue: Cue): number {
  if (before === undefined || !follows(before, cue)) return 0;
  for (let count = Math.min(maxCarried, before.lines.length, cue.lines.length); count > 0; ) {
    const last = before.lines.slice(-count);
    if (last.every((line, index) => visible(line) === visible(cue.lines[index] ?? ''))) {
      return count;
    }
    count -= 1;
  }
  return 0;
}

function follows(before: Cue, { timing }: Cue): boolean {
  const { startMs, endMs } = before.timing;
  return timing.startMs >= startMs && timing.startMs - endMs <= maxPauseMs;
}

/** A person who says "Yes." twice is not a rolling caption. */
function isRolling(cues: readonly Cue[], carried: readonly number[]): boolean {
  let pairs = 0;
  let rolled = 0;
  let grown = 0;
  for (const [index, cue] of cues.entries()) {
    const before = cues[index - 1];
    if (before === undefined || !follows(before, cue) || cue.lines.length === 0) continue;
    const count = carried[index] ?? 0;
    pairs += 1;
    if (count > 0) rolled += 1;
    if (count > 0 && cue.lines.length > count) grown += 1;
  }
  return grown > 0 && rolled * 2 >= pairs;
}

function visible(line: string): string {
  return line.replace(/<[^<>]*>/g, '').trim();
}
