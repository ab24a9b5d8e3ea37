import { Readable, type TransformOptions } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { createYielder } from '../../../../lib/time-slices.ts';
import { type DomainError, invalid } from '../../../foundation/errors.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';

/** A year of days and episodes of a large show has about 10 MB. */
export const maxCsvBytes = 32 * 1024 * 1024;
/** Of one row. A quote that is never closed ends here. */
const maxRowChars = 64 * 1024;
/**
 * Of separators alone. Tables that people have edited end in some. 32 MB of them would keep the
 * parser busy for minutes.
 */
const maxEmptyRows = 10_000;
/**
 * The parser reads a part in one go. For each row that has more or fewer cells than the header, it
 * makes an error, drops the error and keeps the row: a part of the shortest rows takes some 20 ms.
 */
const partChars = 512;
/** The encoding and the separator are detected in the first bytes of the file, at most so many. */
const sampleBytes = 64 * 1024;

export interface CsvRow {
  /** Where the row ends in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads the rows of a table: UTF-8, UTF-16 or windows-1252, with or without a byte order mark,
 * separated by commas, semicolons or tabs. Leaves out empty rows, and refuses more than 10,000 of
 * them. Refuses a file over 32 MB and a row over 64 K characters; holds no more than that in memory.
 */
export async function* readCsv(file: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const texts = decode(file)[Symbol.asyncIterator]();
  const first = await texts.next();
  if (first.done === true) return;
  const { separator, skippedChars } = findSeparator(first.value);
  const options: Options & TransformOptions = {
    delimiter: separator,
    info: true,
    max_record_size: maxRowChars,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    // Parts that wait would be read in one go as well.
    writableHighWaterMark: 1,
  };
  const parser = parse(options);
  const rest = (async function* () {
    yield* inParts(first.value.slice(skippedChars));
    for await (const text of { [Symbol.asyncIterator]: () => texts }) yield* inParts(text);
  })();
  const fed = pipeline(Readable.from(rest), parser);
  // The loop below throws the same error.
  fed.catch(() => undefined);
  const skippedLines = skippedChars > 0 ? 1 : 0;
  let emptyRows = 0;
  try {
    for await (const { info, record } of parser as AsyncIterable<Parsed>) {
      const isEmpty = record.every((cell) => cell === '');
      if (!isEmpty) yield { line: info.lines + skippedLines, cells: record };
      else if (++emptyRows > maxEmptyRows) throw refuseEmptyRows();
    }
  } catch (error) {
    throw error instanceof CsvError ? refuseCsv(error) : error;
  }
}

/** A file that is in memory keeps the parser busy without a pause, so the pauses are here. */
async function* inParts(text: string): AsyncGenerator<string> {
  const maybeYield = createYielder();
  for (let at = 0; at < text.length; at += partChars) {
    yield text.slice(at, at + partChars);
    await maybeYield();
  }
}

interface Parsed {
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

function refuseCsv(error: CsvError): DomainError {
  const { lines: line = 1 } = error as { readonly lines?: number };
  return invalid('file', sayRefusal('csv_unreadable', { code: error.code, line }));
}

function refuseEmptyRows(): DomainError {
  return invalid('file', sayRefusal('csv_empty_rows', { max: maxEmptyRows }));
}

async function* decode(file: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let sample = Buffer.alloc(0);
  let bytes = 0;
  const open = () => {
    const encoding = detectEncoding(sample);
    decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
    return decoder.decode(sample, { stream: true });
  };
  try {
    for await (const chunk of file) {
      bytes += chunk.byteLength;
      if (bytes > maxCsvBytes)
        throw invalid('file', sayRefusal('file_too_large', { size: '32 MB' }));
      if (decoder !== undefined) {
        yield decoder.decode(chunk, { stream: true });
        continue;
      }
      sample = Buffer.concat([sample, chunk]);
      if (sample.length >= sampleBytes) yield open();
    }
    if (decoder === undefined) yield open();
    yield decoder?.decode() ?? '';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalid('file', sayRefusal('csv_encoding'));
  }
}

function detectEncoding(sample: Buffer): string {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  // Headers begin with an ASCII letter, which has a zero byte beside it in UTF-16.
  if (sample[0] !== 0 && sample[1] === 0) return 'utf-16le';
  if (sample[0] === 0 && sample[1] !== 0) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

const separators = [',', ';', '\t'] as const;

/** What separates the cells of the first line; a line `sep=;`, as Excel knows it, says so itself. */
function findSeparator(text: string): { separator: string; skippedChars: number } {
  const [whole = '', said] = /^sep=([,;\t])\r?\n/i.exec(text) ?? [];
  if (said !== undefined) return { separator: said, skippedChars: whole.length };
  const counts = new Map<string, number>(separators.map((separator) => [separator, 0]));
  let isQuoted = false;
  let hasText = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\n' || character === '\r') {
      if (hasText) break;
      continue;
    }
    hasText = true;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  const [[separator] = [',']] = [...counts].sort(([, one], [, other]) => other - one);
  return { separator, skippedChars: 0 };
}
