import type { Geo } from '../../../../platform/geo/geo.ts';
import type { Context } from '../../../foundation/context.ts';
import { invalid } from '../../../foundation/errors.ts';
import { requireOperator } from '../../../foundation/principal.ts';
import { ReferrerLimit } from '../referrer-limit.ts';
import {
  createLineReader,
  explainUnreadable,
  isBlankOrComment,
  noKnownFormat,
} from './create-line-reader.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import type { UnreadableLine } from './log-line.ts';
import { findLogPlace } from './log-place.ts';
import { type LogFault, LogSample } from './log-sample.ts';
import { addCounts, type LogCounts, noCounts, type ReadOptions, readLog } from './read-log.ts';
import { splitLines, wholeLines } from './whole-lines.ts';

export interface IngestedLog extends LogCounts {
  /** Lines that were read before, from this file or another one with the same content. */
  readonly alreadyRead: number;
  /** True: the file is compressed and incomplete. Its last line is left for a complete file. */
  readonly endsEarly: boolean;
  /** Of the lines that were read now. */
  readonly faults: readonly LogFault[];
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
 * LogBusyError if another process reads it, and DomainError for a file that is not a log.
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
  const endsEarly = await file.endsEarly();
  const isWhole = !endsEarly;
  await requireKnownFormat(file, { isWhole, signal });
  const readLine = createLineReader();
  const place = await findLogPlace(ctx, file, readLine);
  if (place === undefined) {
    const lines = await countLines(file, isWhole);
    return { ...noCounts, lines, alreadyRead: 0, endsEarly, faults: [] };
  }
  const { size: totalBytes } = await file.stat();
  let counts = noCounts;
  let readBytes = 0;
  const sample = new LogSample();
  const options = {
    ...{ geo, file, readLine, sample, signal, isWhole },
    referrers: new ReferrerLimit(),
    onRead: (bytes: number) => {
      readBytes = bytes;
    },
    onProgress: (_: unknown, more: LogCounts) => {
      counts = addCounts(counts, more);
      onProgress?.({ readBytes, totalBytes, lines: counts.lines });
    },
  };
  await readLog(ctx, place, options);
  return { ...counts, alreadyRead: place.readLines, endsEarly, faults: sample.faults };
}

/**
 * Throws DomainError if all content is unreadable. Nothing of such a file is noted as read, so that a
 * later version may know its format. The message shows no line, because it may contain an address.
 */
async function requireKnownFormat(
  file: LogFile,
  { isWhole, signal }: Pick<ReadOptions, 'isWhole' | 'signal'>,
): Promise<void> {
  const readLine = createLineReader();
  let number = 0;
  let first: UnreadableLine | undefined;
  for await (const piece of wholeLines(file.read(0))) {
    signal?.throwIfAborted();
    if (!piece.isComplete && !isWhole) break;
    for (const line of splitLines(piece)) {
      number += 1;
      // Also of comments, which may name the fields.
      const read = readLine(line);
      if (isBlankOrComment(line)) continue;
      if (read !== 'unreadable') return;
      first ??= { number, trouble: explainUnreadable(line) };
    }
  }
  if (first === undefined) return;
  if (first.trouble !== noKnownFormat) {
    const where = `line ${first.number} ${first.trouble}`;
    throw invalid('file', `No line can be read: ${where}. docs/access-logs.md lists the fields.`);
  }
  throw invalid(
    'file',
    'No line has a known format: the Combined Log Format, JSON lines, or a log of a CDN or of S3. ' +
      'docs/access-logs.md describes them.',
  );
}

async function countLines(file: LogFile, isWhole: boolean): Promise<number> {
  let lines = 0;
  for await (const piece of wholeLines(file.read(0))) {
    if (piece.isComplete || isWhole) lines += splitLines(piece).length;
  }
  return lines;
}
