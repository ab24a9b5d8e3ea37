import type { Geo } from '../../../platform/geo/geo.ts';
import type { Context } from '../../context.ts';
import { requireOperator } from '../../principal.ts';
import { createLineReader } from './create-line-reader.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { findLogPlace } from './log-place.ts';
import { addCounts, type LogCounts, noCounts, readLog } from './read-log.ts';
import { splitLines, wholeLines } from './whole-lines.ts';

export interface IngestedLog extends LogCounts {
  /** Lines that were read before, from this file or another one with the same content. */
  readonly alreadyRead: number;
}

export interface IngestProgress {
  /** Of the file, compressed where it is. */
  readonly readBytes: number;
  readonly totalBytes: number;
  /** Lines that are counted now, once and for all. */
  readonly lines: number;
}

/**
 * Counts an access log in one of the known formats, also compressed with gzip. Lines that were read
 * before are left out, so a log may be given again: complete, grown, renamed or compressed. Throws
 * LogBusyError if another process reads it.
 */
export async function ingestLog(
  ctx: Context,
  geo: Geo,
  {
    path,
    signal,
    onProgress,
  }: {
    readonly path: string;
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: IngestProgress) => void;
  },
): Promise<IngestedLog> {
  requireOperator(ctx);
  await using file = await openLogFile(path);
  const readLine = createLineReader();
  const place = await findLogPlace(ctx, file, readLine);
  if (place === undefined) return { ...(await countOtherLines(file)), alreadyRead: 0 };
  const { size: totalBytes } = await file.stat();
  let counts = noCounts;
  let readBytes = 0;
  const options = {
    ...{ geo, file, readLine, signal, isWhole: true },
    onRead: (bytes: number) => {
      readBytes = bytes;
    },
    onProgress: (_: unknown, more: LogCounts) => {
      counts = addCounts(counts, more);
      onProgress?.({ readBytes, totalBytes, lines: counts.lines });
    },
  };
  await readLog(ctx, place, options);
  return { ...counts, alreadyRead: place.readLines };
}

/** The result for a file without a request. */
async function countOtherLines(file: LogFile): Promise<LogCounts> {
  const readLine = createLineReader();
  let counts = noCounts;
  for await (const piece of wholeLines(file.read(0))) {
    const lines = splitLines(piece);
    const unreadable = lines.filter((line) => readLine(line) === 'unreadable').length;
    counts = addCounts(counts, { ...noCounts, lines: lines.length, unreadable });
  }
  return counts;
}
