import { createHash, type Hash } from 'node:crypto';
import { utcDayOf } from '../../../../lib/utc-day.ts';
import type { Context } from '../../../foundation/context.ts';
import { DomainError } from '../../../foundation/errors.ts';
import { isBlankOrComment, type LineReader } from './create-line-reader.ts';
import type { LogFile } from './log-file.ts';
import { insertLog, type LogRow, selectLogs, updateLog } from './logs.sql.ts';
import { splitLines, wholeLines } from './whole-lines.ts';

/** How far a log was read, with the state of the hash of that part. */
export interface LogPlace extends Omit<LogRow, 'readHash'> {
  readonly head: Buffer;
  readonly hash: Hash;
  /** False: no row has this place yet. */
  readonly isKnown: boolean;
}

/**
 * Finds the position up to which this content was read before, under any file name, by the hashes
 * of what was read. Passes the comments at the beginning to `readLine`. Undefined: the log contains
 * no request yet.
 */
export async function findLogPlace(
  ctx: Context,
  file: LogFile,
  readLine: LineReader,
): Promise<LogPlace | undefined> {
  const first = await findFirstLine(file, readLine);
  if (first === undefined) return undefined;
  const head = keyedHash(ctx).update('head').update(first, 'latin1').digest();
  const rows = await selectLogs(ctx.db, head);
  const known = await findLongest(ctx, file, rows);
  if (known !== undefined) return { ...known, head, isKnown: true };
  return {
    head,
    branch: rows.length,
    readBytes: 0,
    readLines: 0,
    begunOn: utcDayOf(ctx.clock.now()),
    hash: keyedHash(ctx),
    isKnown: false,
  };
}

/** A keyed hash, because lines contain addresses, which could be guessed otherwise. */
function keyedHash({ installation }: Context): Hash {
  return createHash('sha256').update(installation.tagKey);
}

async function findFirstLine(file: LogFile, readLine: LineReader): Promise<string | undefined> {
  for await (const piece of wholeLines(file.read(0))) {
    for (const line of splitLines(piece)) {
      const read = readLine(line);
      const isCut = !piece.isComplete && typeof read === 'string';
      if (!isBlankOrComment(line) && !isCut) return line;
    }
  }
  return undefined;
}

/** The row that has read most of this content, and nothing else. */
async function findLongest(ctx: Context, file: LogFile, rows: readonly LogRow[]) {
  const waiting = rows.toSorted((one, other) => one.readBytes - other.readBytes);
  const hash = keyedHash(ctx);
  let found: (Omit<LogRow, 'readHash'> & { readonly hash: Hash }) | undefined;
  let at = 0;
  if (waiting.length === 0) return undefined;
  for await (const chunk of file.read(0)) {
    let from = 0;
    for (let row = waiting[0]; row && row.readBytes <= at + chunk.length; row = waiting[0]) {
      hash.update(chunk.subarray(from, row.readBytes - at));
      from = row.readBytes - at;
      const isSame = hash.copy().digest().equals(row.readHash);
      if (isSame) found = { ...row, hash: hash.copy() };
      waiting.shift();
    }
    if (waiting.length === 0) break;
    hash.update(chunk.subarray(from));
    at += chunk.length;
  }
  return found;
}

/** Another process reads the same log. Its part is not read again. */
export class LogBusyError extends DomainError {
  constructor() {
    super('invalid', 'Another process is reading this log. Try again when it has finished.');
    this.name = 'LogBusyError';
  }
}

/**
 * Moves a position by `bytes` with `lines`, in the transaction that counts them. Throws
 * LogBusyError if another process has moved it.
 */
export async function moveLogPlace(
  ctx: Context,
  place: LogPlace,
  { bytes, lines }: { readonly bytes: readonly Buffer[]; readonly lines: number },
): Promise<LogPlace> {
  const { head, branch, begunOn, isKnown, readBytes: expectedBytes } = place;
  const hash = place.hash.copy();
  for (const part of bytes) hash.update(part);
  const readBytes = bytes.reduce((sum, part) => sum + part.length, expectedBytes);
  const readLines = place.readLines + lines;
  const row = { branch, readBytes, readLines, begunOn, readHash: hash.copy().digest() };
  const now = ctx.clock.now();
  const isMoved = isKnown
    ? await updateLog(ctx.db, head, row, { expectedBytes, now })
    : await insertLog(ctx.db, head, row, now);
  if (!isMoved) throw new LogBusyError();
  return { head, branch, readBytes, readLines, begunOn, hash, isKnown: true };
}
