import type { ByteRange } from '../../lib/byte-range.ts';
import { type UtcDay, utcDayOf } from '../../lib/utc-day.ts';
import type { AudioRequest, RejectionReason } from './audio-request.ts';

/** A request with what the rules say of its client. */
export interface JudgedRequest extends AudioRequest {
  /** Null: it may count. */
  readonly rejected: RejectionReason | null;
  readonly app: string;
  readonly device: string;
}

/** What a listener has received of one version of an episode's audio on a day. */
export interface Receipt {
  readonly day: UtcDay;
  readonly podcastId: string;
  readonly episodeId: string;
  readonly listener: string;
  readonly file: string;
  readonly neededBytes: number;
  /** In order, without overlaps. */
  readonly audio: readonly ByteRange[];
  readonly isEnough: boolean;
  /** The earliest of the requests, which tells where a download comes from. */
  readonly first: JudgedRequest;
}

/** Unites requests that may count, by day, episode, listener and version of the audio. */
export class ReceiptBook {
  readonly #heard = new Map<string, { first: JudgedRequest; readonly audio: ByteRange[] }>();

  #requests = 0;

  /** The number of requests that it was given and that may count. */
  get requests(): number {
    return this.#requests;
  }

  /** Passes over those that are rejected. */
  add(requests: readonly JudgedRequest[]): void {
    for (const request of requests) if (request.rejected === null) this.#add(request);
  }

  *receipts(): Generator<Receipt> {
    for (const { first, audio } of this.#heard.values()) yield receiptOf(first, uniteRanges(audio));
  }

  #add(request: JudgedRequest): void {
    this.#requests += 1;
    const key = keyOf(request);
    const heard = this.#heard.get(key);
    if (heard === undefined) {
      this.#heard.set(key, { first: request, audio: [...request.audio] });
      return;
    }
    for (const range of request.audio) heard.audio.push(range);
    if (isEarlier(request, heard.first)) heard.first = request;
  }
}

function keyOf({ at, episodeId, listener, file }: JudgedRequest): string {
  return `${utcDayOf(at)} ${episodeId} ${listener} ${file}`;
}

function receiptOf(first: JudgedRequest, audio: readonly ByteRange[]): Receipt {
  const { podcastId, episodeId, listener, file, neededBytes } = first;
  const received = audio.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const isEnough = neededBytes > 0 && received >= neededBytes;
  const day = utcDayOf(first.at);
  return { day, podcastId, episodeId, listener, file, neededBytes, audio, isEnough, first };
}

/** Of two requests at the same moment one is first in any order, as in `listeners.sql.ts`. */
function isEarlier(a: JudgedRequest, b: JudgedRequest): boolean {
  if (a.at.getTime() !== b.at.getTime()) return a.at < b.at;
  if (a.source !== b.source) return a.source < b.source;
  return (a.referrer ?? '') < (b.referrer ?? '');
}

function uniteRanges(ranges: readonly ByteRange[]): ByteRange[] {
  if (ranges.length <= 1) return [...ranges];
  const united: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = united.at(-1);
    if (last === undefined || start > last.end + 1) united.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return united;
}
