import { completeTranscript } from './complete-transcript.ts';
import { tryParseTiming } from './cue-text.ts';
import { parsePlainText } from './parse-plain-text.ts';
import { looksLikeRows, parseAss, parseRows } from './parse-rows.ts';
import { parseSrt } from './parse-srt.ts';
import { tryParseTimedText } from './parse-timed-text.ts';
import { parseTranscriptHtml } from './parse-transcript-html.ts';
import { parseTranscriptJson } from './parse-transcript-json.ts';
import { parseTtml } from './parse-ttml.ts';
import { parseVtt } from './parse-vtt.ts';
import {
  maxTranscriptBytes,
  type RawTranscript,
  type Transcript,
  TranscriptError,
} from './transcript.ts';

type Form = 'vtt' | 'srt' | 'json' | 'ttml' | 'html' | 'rows' | 'ass' | 'text';

/**
 * Reads a transcript in WebVTT, SubRip, TTML, JSON of several programs, the HTML of Podcasting 2.0,
 * tables (.tsv, .csv, .ass), text exports with times, or plain text; detects the format by the
 * content. `type` is declared by a feed, and is only used to reject a web page instead of captions.
 * Throws TranscriptError.
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
    const message = `The file is XML with the element <${root}>, which Podstead cannot read as a transcript.`;
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
