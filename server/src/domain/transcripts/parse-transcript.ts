import { completeTranscript } from './complete-transcript.ts';
import { tryParseTiming } from './cue-text.ts';
import { parseSrt } from './parse-srt.ts';
import { parseTranscriptHtml, parseTranscriptText } from './parse-transcript-html.ts';
import { parseTranscriptJson } from './parse-transcript-json.ts';
import { parseVtt } from './parse-vtt.ts';
import {
  maxTranscriptBytes,
  type RawTranscript,
  type Transcript,
  TranscriptError,
} from './transcript.ts';

type Form = 'vtt' | 'srt' | 'json' | 'html' | 'text';

/**
 * Reads a transcript in WebVTT, SubRip, the Podcasting 2.0 JSON or HTML, or plain text; detects the
 * format by the content. `type` is declared by a feed, and is only used to reject a web page
 * instead of captions. Throws TranscriptError.
 */
export function parseTranscript(text: string, options: { type?: string } = {}): Transcript {
  if (Buffer.byteLength(text) > maxTranscriptBytes) {
    throw new TranscriptError('too_large', 'A transcript has at most 10 MB.');
  }
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const form = detectForm(lines);
  const promised = promisedForms.find(([pattern]) => pattern.test(options.type ?? ''))?.[1];
  if (promised !== undefined && !promised.includes(form)) {
    throw new TranscriptError('not_a_transcript', 'The file is not what its type says.');
  }
  return completeTranscript(parsers[form](lines));
}

const parsers: Readonly<Record<Form, (text: string) => RawTranscript>> = {
  vtt: parseVtt,
  srt: parseSrt,
  json: parseTranscriptJson,
  html: parseTranscriptHtml,
  text: parseTranscriptText,
};

// Captions of one format under the type of the other are common and harmless.
const promisedForms: readonly (readonly [RegExp, readonly Form[]])[] = [
  [/vtt|srt|subrip/i, ['vtt', 'srt']],
  [/json/i, ['json']],
];

function detectForm(text: string): Form {
  if (/^WEBVTT(?:[ \t\n]|$)/.test(text)) return 'vtt';
  if (/^\s*[{[]/.test(text) && isJson(text)) return 'json';
  if (text.includes('>') && hasTimingLine(text)) return 'srt';
  if (/<(?:!doctype html|html|body|cite|time|p|div)[\s>]/i.test(text)) return 'html';
  // A file of another kind, read as text.
  if (text.includes('\0')) {
    throw new TranscriptError('not_a_transcript', 'The file is not text.');
  }
  return 'text';
}

/** True for a JSON list or object, but not for `[Music]` at the beginning of plain text. */
function isJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[{\]])/.test(text);
}

function hasTimingLine(text: string): boolean {
  return text.split('\n', 1000).some((line) => tryParseTiming(line) !== undefined);
}
