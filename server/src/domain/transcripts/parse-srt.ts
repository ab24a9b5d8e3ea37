import { decodeEntities, stripFormatting, type Timing, tryParseTiming } from './cue-text.ts';
import { carrySpeakers, takePrefixes } from './speaker-prefix.ts';
import type { RawSegment, RawTranscript } from './transcript.ts';

/**
 * Reads SubRip, which has no standard: a cue is a timing line and the lines up to the next one,
 * without the next cue's number. Empty lines inside a caption, and missing ones between captions,
 * are harmless.
 */
export function parseSrt(text: string): RawTranscript {
  const segments: RawSegment[] = [];
  let timing: Timing | undefined;
  let lines: string[] = [];
  const finish = (isLast: boolean) => {
    const last = lines.findLastIndex((line) => line.trim() !== '');
    const hasNumber = !isLast && last >= 0 && /^\s*\d+\s*$/.test(lines[last] ?? '');
    const words = (hasNumber ? lines.slice(0, last) : lines).join('\n');
    const caption = decodeEntities(stripFormatting(words));
    if (timing !== undefined) segments.push({ ...timing, speaker: '', text: caption });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const next = line.includes('>') ? tryParseTiming(line) : undefined;
    if (next === undefined) {
      lines.push(line);
    } else {
      finish(false);
      timing = next;
    }
  }
  finish(true);
  const named = takePrefixes(segments.filter(hasWords), { trustsFirst: true });
  return { segments: carrySpeakers(named) };
}

function hasWords({ text }: RawSegment): boolean {
  return text.trim() !== '';
}
