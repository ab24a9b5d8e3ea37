import { everyCueNamed } from './parse-vtt.ts';
import { looksPrefixed } from './speaker-prefix.ts';
import type { Segment } from './transcript.ts';

/** WebVTT, from which parseTranscript reads back exactly these segments. */
export function formatVtt(segments: readonly Segment[], language?: string): string {
  const header = language === undefined ? 'WEBVTT' : `WEBVTT\nLanguage: ${language}`;
  const blocks = segments.map(({ startMs, endMs, speaker, text }) => {
    const voice = speaker === '' ? '' : `<v ${escapeCue(speaker)}>`;
    return `${clockOf(startMs, '.')} --> ${clockOf(endMs, '.')}\n${voice}${escapeCue(text)}`;
  });
  const note = needsNote(segments) ? [everyCueNamed] : [];
  return `${[header, ...note, ...blocks].join('\n\n')}\n`;
}

/** Where somebody nameless speaks, readers would carry on a name or read one from the words. */
function needsNote(segments: readonly Segment[]): boolean {
  const nameless = segments.some(({ speaker }) => speaker === '');
  const named = segments.some(({ speaker, text }) => speaker !== '' || looksPrefixed(text));
  return nameless && named;
}

/** Every sign that means something in a cue; without ">" there is no arrow either. */
function escapeCue(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * SubRip, names where the speaker changes (Podcasting 2.0). It has no escapes: an arrow, and "<"
 * before a letter, which players take for markup, are written with signs that look like them.
 */
export function formatSrt(segments: readonly Segment[]): string {
  let before = '';
  const blocks = segments.map(({ startMs, endMs, speaker, text }, index) => {
    const name = speaker !== '' && speaker !== before ? `${speaker}: ` : '';
    before = speaker;
    const timing = `${clockOf(startMs, ',')} --> ${clockOf(endMs, ',')}`;
    return `${index + 1}\n${timing}\n${defuse(name + text)}\n`;
  });
  return blocks.join('\n');
}

function defuse(text: string): string {
  return text.replace(/--+>/g, '→').replace(/<(?=[/a-z])/gi, '‹');
}

/** The Podcasting 2.0 JSON. Times are seconds with up to three decimals. */
export function formatTranscriptJson(segments: readonly Segment[]): string {
  return JSON.stringify({
    version: '1.0.0',
    segments: segments.map(({ startMs, endMs, speaker, text }) => ({
      ...(speaker === '' ? {} : { speaker }),
      startTime: startMs / 1000,
      endTime: endMs / 1000,
      body: text,
    })),
  });
}

/** `HH:MM:SS.mmm`, with more digits for more hours. */
function clockOf(ms: number, point: '.' | ','): string {
  const digits = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0');
  const seconds = `${digits((ms / 1000) % 60)}${point}${digits(ms % 1000, 3)}`;
  return `${digits(ms / 3_600_000)}:${digits((ms / 60_000) % 60)}:${seconds}`;
}
