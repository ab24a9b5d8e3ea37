import { loadHtmlParser } from '../../../lib/html/html-readers.ts';

const clock = /^(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,3})\d*)?$/;

/** `1:02:03.5`, `02:03,500`, `2:03`: milliseconds; undefined for anything else. */
export function tryParseClock(text: string): number | undefined {
  const [, hours = '0', minutes, seconds, fraction = '0'] = clock.exec(text.trim()) ?? [];
  if (minutes === undefined || seconds === undefined) return undefined;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole * 1000 + Number(fraction.padEnd(3, '0'));
}

export interface Timing {
  readonly startMs: number;
  readonly endMs: number;
}

const timingLine = /^\s*([\d:.,]+)\s*--+>\s*([\d:.,]+)(?:\s.*)?$/;
const youTubeTiming = /^\s*(\d+:\d\d:\d\d\.\d{3}),(\d+:\d\d:\d\d\.\d{3})\s*$/;
const secondsOnly = /^(\d{1,6})[.,](\d{1,3})\d*$/;

/**
 * The line above a cue in WebVTT and SubRip, including settings at its end, and in YouTube's SBV.
 * Some programs leave out the minutes of the first minute: `0.860 --> 7.380`.
 */
export function tryParseTiming(line: string): Timing | undefined {
  const found = timingLine.exec(line) ?? youTubeTiming.exec(line);
  if (found === null) return undefined;
  const startMs = tryParseCueTime(found[1] ?? '');
  const endMs = tryParseCueTime(found[2] ?? '');
  return startMs === undefined || endMs === undefined ? undefined : { startMs, endMs };
}

function tryParseCueTime(text: string): number | undefined {
  const [, seconds, fraction = ''] = secondsOnly.exec(text) ?? [];
  if (seconds === undefined) return tryParseClock(text);
  return Number(seconds) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** The lines of a text, without an array of all of them. */
export function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end < 0 ? text.length : end);
    if (end < 0) return;
    start = end + 1;
  }
}

const formatting = /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>|\{\\[^{}]*\}/gi;

/**
 * Removes HTML tags and codes of subtitle players (`{\an8}`); `a < b` stays. Repeats this, because
 * removing a tag may form a new one, and no stored text may contain a tag.
 */
export function stripFormatting(text: string): string {
  let stripped = text;
  for (let passes = 0; passes < maxNesting; passes += 1) {
    const before = stripped;
    stripped = before.replace(/<br\s*\/?>/gi, ' ').replace(formatting, '');
    if (stripped === before) return stripped;
  }
  return stripped.replaceAll(/[<{]/g, '');
}

const maxNesting = 8;

/** Decodes `&amp;` and all other entities, once. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  const { Parser } = loadHtmlParser();
  let decoded = '';
  const parser = new Parser(
    {
      ontext(part) {
        decoded += part;
      },
    },
    { decodeEntities: true },
  );
  parser.end(text.replaceAll('<', '&lt;'));
  return decoded;
}

const languageTag = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/;

/**
 * Returns a BCP 47 tag unchanged, except that underscores become hyphens; undefined for anything
 * else (`English`, `auto`).
 */
export function tryParseTranscriptLanguage(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 35) return undefined;
  const tag = value.trim().replaceAll('_', '-');
  return languageTag.test(tag) ? tag : undefined;
}
