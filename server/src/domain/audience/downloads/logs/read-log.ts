import { createYielder } from '../../../../lib/time-slices.ts';
import type { Geo } from '../../../../platform/geo/geo.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { sourceOf } from '../audio-request.ts';
import { hideListeners } from '../hide-listeners.ts';
import { type Ingested, ingestRequests } from '../ingest-requests.ts';
import type { ObservedRequest } from '../observed-request.ts';
import type { ReferrerLimit } from '../referrer-limit.ts';
import { type AudioTarget, tryParseAudioTarget } from './audio-target.ts';
import { explainUnreadable, type LineReader } from './create-line-reader.ts';
import { deliveredRanges } from './delivered-ranges.ts';
import type { LogFile } from './log-file.ts';
import type { LogLine, UnreadableLine } from './log-line.ts';
import { type LogPlace, moveLogPlace } from './log-place.ts';
import type { LogSample } from './log-sample.ts';
import { type LoggedAudio, selectLoggedAudio } from './logs.sql.ts';
import { lineFeed, type Piece, splitLines, wholeLines } from './whole-lines.ts';

/** What was read of a log, and the results. */
export interface LogCounts {
  readonly lines: number;
  readonly unreadable: number;
  readonly firstUnreadable: UnreadableLine | undefined;
  readonly requests: number;
  readonly counted: number;
  readonly rejected: Ingested['rejected'];
  readonly alreadyCounted: number;
  readonly withoutDetails: number;
}

export const noCounts: LogCounts = {
  lines: 0,
  unreadable: 0,
  firstUnreadable: undefined,
  requests: 0,
  counted: 0,
  rejected: {},
  alreadyCounted: 0,
  withoutDetails: 0,
};

export function addCounts(one: LogCounts, other: LogCounts): LogCounts {
  const rejected: Partial<Record<string, number>> = { ...one.rejected };
  for (const [reason, count] of Object.entries(other.rejected)) {
    rejected[reason] = (rejected[reason] ?? 0) + count;
  }
  return {
    lines: one.lines + other.lines,
    unreadable: one.unreadable + other.unreadable,
    firstUnreadable: firstOf(one.firstUnreadable, other.firstUnreadable),
    requests: one.requests + other.requests,
    counted: one.counted + other.counted,
    rejected,
    alreadyCounted: one.alreadyCounted + other.alreadyCounted,
    withoutDetails: one.withoutDetails + other.withoutDetails,
  };
}

function firstOf(one: UnreadableLine | undefined, other: UnreadableLine | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  return one.number <= other.number ? one : other;
}

/** The part of a log that is read and counted in one transaction. */
const maxBatchRequests = 2_000;
const maxBatchBytes = 4 * 1024 * 1024;

export interface ReadOptions {
  readonly geo: Geo;
  readonly file: LogFile;
  readonly readLine: LineReader;
  /** Of the whole log. */
  readonly referrers: ReferrerLimit;
  /** Gets the requests for audio. */
  readonly sample: LogSample;
  /** True: the log is complete, so a last line without an end is one if it is readable. */
  readonly isWhole: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called in each transaction. */
  readonly onCommit?: (tx: Context) => Promise<void>;
  readonly onRead?: (fileBytes: number) => void;
  /** Called after each transaction. */
  readonly onProgress?: (place: LogPlace, counts: LogCounts) => void;
}

/**
 * Counts a log from `place` to its present end, in batches. Each batch and the new position are one
 * transaction, so a killed process counts nothing twice. Memory does not grow with the log.
 */
export async function readLog(
  ctx: Context,
  place: LogPlace,
  options: ReadOptions,
): Promise<LogPlace> {
  const { file, readLine, sample, isWhole, signal, onRead } = options;
  const maybeYield = createYielder();
  let at = place;
  let batch = new LineBatch(at);
  const startsInLine = await isInLine(file, place);
  for await (const piece of wholeLines(file.read(place.readBytes, onRead), { startsInLine })) {
    signal?.throwIfAborted();
    const isReadable = () => splitLines(piece).every((line) => typeof readLine(line) !== 'string');
    if (!piece.isComplete && !isWhole) break;
    if (!piece.isComplete && !isReadable()) {
      // It may be half a line. It is read again with the rest.
      const firstUnreadable = { number: batch.nextNumber, trouble: 'is incomplete' };
      options.onProgress?.(at, { ...noCounts, lines: 1, unreadable: 1, firstUnreadable });
      break;
    }
    batch.add(piece, readLine, sample);
    if (batch.isFull) {
      at = await countBatch(ctx, at, batch, options);
      batch = new LineBatch(at);
    }
    await maybeYield();
  }
  return batch.lines === 0 ? at : await countBatch(ctx, at, batch, options);
}

/** Nobody writes on to compressed files: they are left in a line only by a kill. */
async function isInLine(file: LogFile, { readBytes }: LogPlace): Promise<boolean> {
  if (readBytes === 0 || file.isCompressed) return false;
  return (await file.readAt(readBytes - 1, 1))[0] !== lineFeed;
}

class LineBatch {
  readonly bytes: Buffer[] = [];
  readonly audio: AudioLine[] = [];
  lines = 0;
  unreadable = 0;
  firstUnreadable: UnreadableLine | undefined;
  readonly #readLines: number;
  #size = 0;

  constructor({ readLines }: LogPlace) {
    this.#readLines = readLines;
  }

  /** In the file; the first line is 1. */
  get nextNumber(): number {
    return this.#readLines + this.lines + 1;
  }

  get isFull(): boolean {
    return this.audio.length >= maxBatchRequests || this.#size >= maxBatchBytes;
  }

  add(piece: Piece, readLine: LineReader, sample: LogSample): void {
    this.bytes.push(piece.bytes);
    this.#size += piece.bytes.length;
    for (const text of splitLines(piece)) {
      const line = readLine(text);
      if (line === 'unreadable') {
        this.unreadable += 1;
        this.firstUnreadable ??= { number: this.nextNumber, trouble: explainUnreadable(text) };
      }
      this.lines += 1;
      if (typeof line === 'string') continue;
      const target = tryParseAudioTarget(line.target);
      if (target === undefined) continue;
      sample.add(line);
      this.audio.push({ line, target });
    }
  }
}

async function countBatch(
  ctx: Context,
  place: LogPlace,
  { bytes, audio, lines, unreadable, firstUnreadable }: LineBatch,
  { geo, referrers, onCommit, onProgress }: ReadOptions,
): Promise<LogPlace> {
  const observed = await observeLines(ctx, audio);
  const hidden = await hideListeners(ctx, geo, observed, { logBegunOn: place.begunOn });
  const requests = hidden.map((request) => referrers.apply(request));
  const { moved, ingested } = await transact(ctx, async (tx) => {
    const moved = await moveLogPlace(tx, place, { bytes, lines });
    const id = `log:${place.head.toString('hex')}:${place.branch}:${place.readBytes}`;
    const ingested = requests.length === 0 ? undefined : await ingestRequests(tx, { id, requests });
    await onCommit?.(tx);
    return { moved, ingested };
  });
  onProgress?.(moved, { ...noCounts, ...ingested, lines, unreadable, firstUnreadable });
  return moved;
}

/** A line about audio, by its address. */
interface AudioLine {
  readonly line: LogLine;
  readonly target: AudioTarget;
}

/**
 * Requests for our audio, with the facts of the present files. Lines about others are left out:
 * deleted episodes, audio at another host, replaced files.
 */
async function observeLines(ctx: Context, lines: readonly AudioLine[]): Promise<ObservedRequest[]> {
  const episodeIds = new Set<string>();
  const blobKeys = new Set<string>();
  for (const { target } of lines) {
    if (target.kind === 'episode') episodeIds.add(target.episodeId);
    else blobKeys.add(target.key);
  }
  if (lines.length === 0) return [];
  const found = await selectLoggedAudio(ctx.db, [...episodeIds], [...blobKeys]);
  const byName = new Map<string, LoggedAudio>();
  for (const audio of found) byName.set(audio.episodeId, audio).set(audio.blobKey, audio);
  return lines.flatMap(({ line, target }) => {
    const audio = byName.get(target.kind === 'episode' ? target.episodeId : target.key);
    return audio === undefined ? [] : [observe(line, target, audio)];
  });
}

function observe(line: LogLine, target: AudioTarget, audio: LoggedAudio): ObservedRequest {
  const { podcastId, episodeId, file } = audio;
  const { at, address, userAgent, referrer, method, status, isPrefetch } = line;
  const marker = target.kind === 'episode' ? target.marker : undefined;
  const { sent, isPlaceKnown } = deliveredRanges(line, file);
  return {
    at,
    podcastId,
    episodeId,
    source: sourceOf(marker),
    address,
    userAgent,
    referrer,
    framingHost: target.kind === 'episode' ? target.framingHost : undefined,
    method,
    status,
    isPrefetch,
    file,
    sent,
    isPlaceKnown,
  };
}
