import { linesOf } from './cue-text.ts';
import { takePrefixes } from './speaker-prefix.ts';
import type { RawSegment, RawTranscript } from './transcript.ts';

/** Reads plain text: each paragraph is a segment, and none has a time. */
export function parsePlainText(text: string): RawTranscript {
  const segments: RawSegment[] = [];
  let lines: string[] = [];
  const finish = () => {
    if (lines.length === 0) return;
    segments.push({ startMs: undefined, endMs: undefined, speaker: '', text: lines.join('\n') });
    lines = [];
  };
  for (const line of linesOf(text)) {
    if (line.trim() === '') finish();
    else lines.push(line);
  }
  finish();
  return { segments: takePrefixes(segments) };
}
