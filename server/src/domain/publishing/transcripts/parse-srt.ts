import { type Cue, checkCueCount, dropRepeatedLines } from './caption-cues.ts';
import {
  decodeEntities,
  linesOf,
  stripFormatting,
  type Timing,
  tryParseTiming,
} from './cue-text.ts';
import { LeftOutParts } from './left-out.ts';
import { carrySpeakers, takePrefixes } from './speaker-prefix.ts';
import type { RawSegment, RawTranscript } from './transcript.ts';

/**
 * Reads SubRip, which has no standard, and SBV: a cue is a timing line and the lines up to the next
 * one, without the next cue's number. Empty lines inside a caption, and missing ones between
 * captions, are harmless.
 */
export function parseSrt(text: string): RawTranscript {
  const reader = new Reader();
  for (const line of linesOf(text)) reader.line(line);
  reader.endCue(true);
  const { cues, leftOut } = reader;
  const segments = dropRepeatedLines(cues).map(({ timing, lines }): RawSegment => {
    const words = decodeEntities(stripFormatting(lines.join('\n')));
    return { ...timing, speaker: '', text: words };
  });
  const named = takePrefixes(segments.filter(hasWords), { trustsFirst: true });
  return { segments: carrySpeakers(named), leftOut };
}

/** Whether a timing line was meant; an arrow in a sentence is none. */
function isBrokenTiming(line: string): boolean {
  const arrow = line.indexOf('-->');
  if (arrow < 0) return false;
  return [line.slice(0, arrow), line.slice(arrow + 3)].some((side) => {
    const text = side.trim();
    return text.includes(':') && /^\d[\d:.,;]{2,20}$/.test(text);
  });
}

class Reader {
  readonly cues: Cue[] = [];
  readonly leftOut = new LeftOutParts();
  #timing: Timing | undefined;
  /** The timing line that cannot be read. */
  #broken: string | undefined;
  #lines: string[] = [];

  line(line: string): void {
    const timing = tryParseTiming(line);
    if (timing !== undefined || isBrokenTiming(line)) {
      this.endCue(false);
      this.#timing = timing;
      this.#broken = timing === undefined ? line : undefined;
    } else {
      this.#lines.push(line);
    }
  }

  endCue(isLast: boolean): void {
    const last = this.#lines.findLastIndex((line) => line.trim() !== '');
    const hasNumber = !isLast && last >= 0 && /^\s*\d+\s*$/.test(this.#lines[last] ?? '');
    const lines = hasNumber ? this.#lines.slice(0, last) : this.#lines;
    this.#lines = [];
    if (this.#timing !== undefined) {
      this.cues.push({ timing: this.#timing, lines });
      checkCueCount(this.cues.length);
    } else if (this.#broken !== undefined || lines.some((line) => line.trim() !== '')) {
      this.leftOut.add([this.#broken ?? '', ...lines.slice(0, 5)].join(' '));
    }
  }
}

function hasWords({ text }: RawSegment): boolean {
  return text.trim() !== '';
}
