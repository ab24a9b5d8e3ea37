import { parse } from 'csv-parse/sync';
import { linesOf, tryParseClock } from './cue-text.ts';
import { LeftOutParts } from './left-out.ts';
import { maxCues, type RawSegment, type RawTranscript, TranscriptError } from './transcript.ts';

// Files in which every line is a segment, and columns have the times and the words: .tsv and .csv
// of Whisper and whisper.cpp, labels of Audacity, and SubStation Alpha (.ass).

const label = /^\d{1,7}(?:\.\d{1,9})?\t\d{1,7}(?:\.\d{1,9})?\t/;
const maxHeaderLength = 500;

/** Whether the first line names the columns of a table, or is a label of Audacity. */
export function looksLikeRows(firstLine: string): boolean {
  return hasHeader(firstLine) || label.test(firstLine);
}

function hasHeader(firstLine: string): boolean {
  const [start, end] = namesIn(firstLine.slice(0, maxHeaderLength).split(/[\t,;]/));
  return start === 'start' && end === 'end';
}

function namesIn(fields: readonly string[]): string[] {
  return fields.map((field) => field.replaceAll('"', '').trim().toLowerCase());
}

/** Reads a table with the columns start, end, text and perhaps speaker. Whole times are ms. */
export function parseRows(text: string): RawTranscript {
  const leftOut = new LeftOutParts();
  const [names, rows] = readTable(text);
  const place = (wanted: string) => names.indexOf(wanted);
  const [start, end, speaker] = [place('start'), place('end'), place('speaker')];
  const words = names.findIndex((name) => ['text', 'transcript', 'words', 'body'].includes(name));
  if (words < 0) {
    throw new TranscriptError('not_a_transcript', 'The table has no "text" column.');
  }
  const isMs = rows.every((row) => /^\d*$/.test(row[start]?.trim() ?? ''));
  const segments: RawSegment[] = [];
  for (const row of rows) {
    const startMs = readTime(row[start], isMs);
    const text = row[words] ?? '';
    if (startMs === undefined) {
      if (row.some((field) => field.trim() !== '')) leftOut.add(row.join(' '));
      continue;
    }
    const endMs = readTime(row[end], isMs);
    segments.push({ startMs, endMs, speaker: row[speaker] ?? '', text });
  }
  return { segments, leftOut };
}

type Row = readonly string[];

function readTable(text: string): [names: readonly string[], rows: readonly Row[]] {
  const [first = ''] = text.split('\n', 1);
  const isLabels = !hasHeader(first);
  const rows = isLabels || first.includes('\t') ? readTabs(text) : readCsv(text, first);
  // Labels have seconds with a fraction and no names of columns.
  if (isLabels) return [['start', 'end', 'text'], rows];
  return [namesIn(rows[0] ?? []), rows.slice(1)];
}

function readTabs(text: string): Row[] {
  const rows: Row[] = [];
  for (const line of linesOf(text)) {
    if (line.trim() === '') continue;
    checkCount(rows.push(line.split('\t', maxColumns)));
  }
  return rows;
}

const maxColumns = 30;

function readCsv(text: string, first: string): Row[] {
  const delimiter = first.includes(';') ? ';' : ',';
  const options = { delimiter, relax_quotes: true, relax_column_count: true, to: maxCues + 1 };
  try {
    const rows: string[][] = parse(text, { ...options, skip_empty_lines: true });
    checkCount(rows.length);
    return rows;
  } catch (cause) {
    if (cause instanceof TranscriptError) throw cause;
    throw new TranscriptError('damaged', 'The table cannot be read.', { cause });
  }
}

function checkCount(count: number): void {
  if (count <= maxCues) return;
  throw new TranscriptError('too_many_segments', `A table may have at most ${maxCues} rows.`);
}

function readTime(text = '', isMs: boolean): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,12}(?:\.\d{1,12})?$/.test(trimmed)) return Number(trimmed) * (isMs ? 1 : 1000);
  return tryParseClock(trimmed);
}

const usualFormat = 'Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text';

/** Reads SubStation Alpha: the lines `Dialogue:` of its part `[Events]`. */
export function parseAss(text: string): RawTranscript {
  const leftOut = new LeftOutParts();
  const segments: RawSegment[] = [];
  let columns = namesOf(usualFormat);
  for (const line of linesOf(text)) {
    const [, kind, rest = ''] = /^\s*(Format|Dialogue):(.*)$/.exec(line) ?? [];
    if (kind === 'Format' && /\bStart\b/i.test(rest)) columns = namesOf(rest);
    if (kind !== 'Dialogue') continue;
    const fields = splitFields(rest, columns.length);
    const read = (name: string) => fields[columns.indexOf(name)]?.trim() ?? '';
    const startMs = tryParseClock(read('start'));
    const endMs = tryParseClock(read('end'));
    if (startMs === undefined || endMs === undefined) leftOut.add(line);
    else segments.push({ startMs, endMs, speaker: read('name'), text: plain(read('text')) });
    checkCount(segments.length);
  }
  return { segments, leftOut };
}

function namesOf(format: string): string[] {
  // The older SSA calls the speaker differently.
  return namesIn(format.split(',', maxColumns)).map((name) => (name === 'actor' ? 'name' : name));
}

/** The last field may contain commas. */
function splitFields(line: string, count: number): string[] {
  const fields: string[] = [];
  let start = 0;
  while (fields.length < count - 1) {
    const end = line.indexOf(',', start);
    if (end < 0) break;
    fields.push(line.slice(start, end));
    start = end + 1;
  }
  return [...fields, line.slice(start)];
}

function plain(text: string): string {
  return text.replace(/\{[^{}]*\}/g, '').replace(/\\[Nnh]/g, ' ');
}
