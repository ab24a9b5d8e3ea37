import { formatPlayTime } from '../../../lib/duration.ts';
import { escapeHtml, escapeText } from '../../../lib/escape.ts';
import { createYielder } from '../../../lib/time-slices.ts';
import { everyCueNamed } from './parse-vtt.ts';
import { looksPrefixed } from './speaker-prefix.ts';
import type { Segment } from './transcript.ts';

// All yield to other tasks, because a transcript may have a hundred thousand segments.

const segmentsOfPiece = 500;
/** A longer text is written in parts, cut at a space. */
const charsOfPart = 64 * 1024;

/** Writes WebVTT, from which parseTranscript reads back exactly these segments. */
export async function formatVtt(segments: readonly Segment[], language?: string): Promise<string> {
  let isNamed = false;
  let looksNamed = false;
  const cues = await joinInSlices(segments, '\n\n', ({ startMs, endMs, speaker, text }) => {
    const voice = speaker === '' ? '' : `<v ${escapeText(speaker)}>`;
    isNamed ||= speaker !== '';
    looksNamed ||= !isNamed && looksPrefixed(text);
    const beginning = `${formatPlayTime(startMs)} --> ${formatPlayTime(endMs)}\n${voice}`;
    return replaceInParts(beginning, text, escapeText, '');
  });
  const header = language === undefined ? 'WEBVTT' : `WEBVTT\nLanguage: ${language}`;
  // In a cue without a voice span, programs may read the first words as a name.
  const note = looksNamed && !isNamed ? [everyCueNamed] : [];
  const blocks = segments.length === 0 ? [] : [cues];
  return `${[header, ...note, ...blocks].join('\n\n')}\n`;
}

/**
 * Writes SubRip, with names where the speaker changes (Podcasting 2.0). SubRip has no escapes:
 * arrows, and "<" before a letter, which players read as markup, are replaced with similar
 * characters.
 */
export async function formatSrt(segments: readonly Segment[]): Promise<string> {
  let before = '';
  return await joinInSlices(segments, '\n', ({ startMs, endMs, speaker, text }, index) => {
    const name = speaker !== '' && speaker !== before ? `${speaker}: ` : '';
    before = speaker;
    const timing = `${formatPlayTime(startMs, ',')} --> ${formatPlayTime(endMs, ',')}`;
    return replaceInParts(`${index + 1}\n${timing}\n`, name + text, defuse, '\n');
  });
}

function defuse(text: string): string {
  return text.replace(/(?<!-)--+>/g, '→').replace(/<(?=[/a-z])/gi, '‹');
}

/** Writes the Podcasting 2.0 JSON. Times are seconds with up to three decimals. */
export async function formatTranscriptJson(segments: readonly Segment[]): Promise<string> {
  const written = await joinInSlices(segments, ',', ({ startMs, endMs, speaker, text }) =>
    JSON.stringify({
      ...(speaker === '' ? {} : { speaker }),
      startTime: startMs / 1000,
      endTime: endMs / 1000,
      body: text,
    }),
  );
  return `{"version":"1.0.0","segments":[${written}]}`;
}

/**
 * Writes the HTML of Podcasting 2.0 for a transcript without times, from which parseTranscript reads
 * back exactly these segments: a name before the words where the speaker changes.
 */
export async function formatTranscriptHtml(
  segments: readonly Segment[],
  language = '',
): Promise<string> {
  // Without any name, programs may read the first words as one.
  let before = segments.some(({ speaker }) => speaker !== '') ? '' : undefined;
  const written = await joinInSlices(segments, '\n', ({ speaker, text }) => {
    const name =
      speaker === before ? '' : `<cite>${speaker === '' ? '' : escapeHtml(`${speaker}:`)}</cite>\n`;
    before = speaker;
    return `${name}<p>${escapeHtml(text)}</p>`;
  });
  const head = '<head><meta charset="utf-8"><title>Transcript</title></head>';
  return `<!doctype html>\n<html lang="${escapeHtml(language)}">${head}<body>\n${written}\n</body></html>\n`;
}

/**
 * Joins in pieces, because joining everything at once would block the process for as long as
 * writing.
 */
async function joinInSlices(
  segments: readonly Segment[],
  separator: string,
  write: (segment: Segment, index: number) => string | Promise<string>,
): Promise<string> {
  const maybeYield = createYielder();
  const pieces: string[] = [];
  let written: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const piece = write(segment, index);
    written.push(typeof piece === 'string' ? piece : await piece);
    if (written.length === segmentsOfPiece) {
      pieces.push(written.join(separator));
      written = [];
    }
    await maybeYield();
  }
  if (written.length > 0) pieces.push(written.join(separator));
  return pieces.join(separator);
}

/** A segment may be a whole transcript: its words are replaced in parts. */
function replaceInParts(
  before: string,
  text: string,
  replace: (part: string) => string,
  after: string,
): string | Promise<string> {
  if (text.length <= charsOfPart) return before + replace(text) + after;
  return (async () => {
    const maybeYield = createYielder();
    let written = before;
    for (let at = 0; at < text.length; ) {
      const space = text.indexOf(' ', at + charsOfPart);
      const end = space < 0 || space > at + 2 * charsOfPart ? at + 2 * charsOfPart : space + 1;
      written += replace(text.slice(at, end));
      at = end;
      await maybeYield();
    }
    return written + after;
  })();
}
