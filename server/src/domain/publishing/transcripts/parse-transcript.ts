import { type Cue, checkCueCount, dropRepeatedLines } from './caption-cues.ts';
import { completeTranscript } from './complete-transcript.ts';
import {
  decodeEntities,
  linesOf,
  stripFormatting,
  type Timing,
  tryParseTiming,
} from './cue-text.ts';
import { LeftOutParts } from './left-out.ts';
import { looksLikeRows, parseAss, parseRows } from './parse-rows.ts';
import { tryParseTimedText } from './parse-timed-text.ts';
import { parseTranscriptHtml } from './parse-transcript-html.ts';
import { parseTranscriptJson } from './parse-transcript-json.ts';
import { parseTtml } from './parse-ttml.ts';
import { parseVtt } from './parse-vtt.ts';
import { carrySpeakers, takePrefixes } from './speaker-prefix.ts';
import {
  maxTranscriptBytes,
  type RawSegment,
  type RawTranscript,
  type Transcript,
  TranscriptError,
} from './transcript.ts';

/**
 * Reads SubRip, which has no standard, and SBV: a cue is a timing line and the lines up to the next
 * one, without the next cue's number. Empty lines inside a caption, and missing ones between
 * captions, are harmless.
 */
function parseSrt(text: string): RawTranscript {
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

type Form = 'vtt' | 'srt' | 'json' | 'ttml' | 'html' | 'rows' | 'ass' | 'text';

/**
 * Reads a transcript in WebVTT, SubRip, TTML, JSON of several programs, the HTML of Podcasting 2.0,
 * tables (.tsv, .csv, .ass), text exports with times, or plain text; detects the format by the
 * content. `type` is declared by a feed, and is only used to reject a web page instead of captions.
 * Throws TranscriptError.
 */
export function parseTranscript(text: string, options: { type?: string } = {}): Transcript {
  if (Buffer.byteLength(text) > maxTranscriptBytes) {
    throw new TranscriptError('too_large', 'A transcript may have at most 10 MB.');
  }
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const form = detectForm(lines);
  const promised = promisedForms.find(([pattern]) => pattern.test(options.type ?? ''))?.[1];
  if (promised !== undefined && !promised.includes(form)) {
    throw new TranscriptError('not_a_transcript', "The file's content does not match its type.");
  }
  return completeTranscript(parsers[form](lines));
}

const parsers: Readonly<Record<Form, (text: string) => RawTranscript>> = {
  vtt: parseVtt,
  srt: parseSrt,
  json: parseTranscriptJson,
  ttml: parseTtml,
  html: parseTranscriptHtml,
  rows: parseRows,
  ass: parseAss,
  text: (text) => tryParseTimedText(text) ?? parsePlainText(text),
};

// Captions of one format under the type of the other are common and harmless.
const promisedForms: readonly (readonly [RegExp, readonly Form[]])[] = [
  [/vtt|srt|subrip/i, ['vtt', 'srt', 'ttml', 'ass']],
  [/json/i, ['json']],
];

/** The declaration, comments and document type come before the first element of XML. */
const xmlStart =
  /^\s*(?:<\?xml[^>]{0,500}\?>\s*)?(?:<!--[^<>]{0,2000}-->\s*){0,3}<([\w.-]+:)?([\w.-]+)/;

function detectForm(text: string): Form {
  if (/^WEBVTT(?:[ \t\n]|$)/.test(text)) return 'vtt';
  if (/^\s*[{[]/.test(text) && isJson(text)) return 'json';
  refuseOthers(text);
  const [, , root = ''] = xmlStart.exec(text) ?? [];
  if (root === 'tt') return 'ttml';
  if (/^\s*<\?xml/.test(text) && root.toLowerCase() !== 'html') {
    const message = `The file is XML with the element <${root.slice(0, 80)}>, which Podstead cannot read as a transcript.`;
    throw new TranscriptError('not_a_transcript', message);
  }
  if (/^\s*\[Script Info\]/i.test(text)) return 'ass';
  if (looksLikeRows(text.split('\n', 1)[0] ?? '')) return 'rows';
  if (hasTimingLine(text)) return 'srt';
  if (/<(?:!doctype html|html|body|cite|time|p|div)[\s>]/i.test(text)) return 'html';
  return 'text';
}

/** Files of other kinds would be published as if their bytes and codes were spoken. */
function refuseOthers(text: string): void {
  if (/^\s*\{\\rtf/.test(text)) {
    const message = 'The file is RTF. Save it as plain text, and upload that.';
    throw new TranscriptError('not_a_transcript', message);
  }
  if (text.startsWith('%PDF-') || text.includes('\0')) {
    throw new TranscriptError('not_a_transcript', 'The file is not text.');
  }
}

/** True for a JSON list or object, but not for `[Music]` at the beginning of plain text. */
function isJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[{\]])/.test(text);
}

function hasTimingLine(text: string): boolean {
  return text.split('\n', 1000).some((line) => tryParseTiming(line) !== undefined);
}

/** Reads plain text: each paragraph is a segment, and none has a time. */
function parsePlainText(text: string): RawTranscript {
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
