import type { ByteRange } from '../../../../lib/byte-range.ts';
import { earliest } from '../../../../lib/time.ts';
import { utcDayOf } from '../../../../lib/utc-day.ts';
import type { AudioRequest } from '../audio-request.ts';
import { isEarlier } from '../receipts/receipt.ts';

/** A request with more ranges is not united with others. */
const mostRanges = 100;

interface United {
  /** The earliest request. */
  first: AudioRequest;
  requests: number;
  /** Undefined: that of the first request, which is still alone. */
  audio: ByteRange[] | undefined;
}

/**
 * Unites requests of a listener for the same audio, and refused ones of an episode. The rules give
 * the same results: what tells where a download comes from is that of the earliest request, and all
 * bytes, the reason of a refusal and the number of requests stay.
 */
export class UnitedRequests {
  readonly #all: United[] = [];
  readonly #lastOf = new Map<string, United>();

  add(request: AudioRequest): void {
    const { requests } = request;
    const key = keyOf(request);
    const last = this.#lastOf.get(key);
    if (last !== undefined && isAlike(last.first, request) && hasRoom(last)) {
      unite(last, request);
      return;
    }
    const united = { first: request, requests, audio: undefined };
    this.#all.push(united);
    this.#lastOf.set(key, united);
  }

  get size(): number {
    return this.#all.length;
  }

  /** The earliest time of a request; undefined: there is none. */
  get earliestAt(): Date | undefined {
    return earliest(this.#all.map(({ first }) => first.at));
  }

  /** In the order in which they began. Removes them here. */
  take(): AudioRequest[] {
    this.#lastOf.clear();
    return this.#all
      .splice(0)
      .map(({ first, requests, audio }) =>
        audio === undefined ? first : { ...first, requests, audio },
      );
  }
}

const keyOf = ({ episodeId, listener, refusal }: AudioRequest) =>
  refusal === null ? listener + episodeId : refusal + episodeId;

function hasRoom({ first, audio }: United): boolean {
  return (audio ?? first.audio).length < mostRanges;
}

function unite(united: United, request: AudioRequest): void {
  united.audio ??= [...united.first.audio];
  united.requests += request.requests;
  if (isEarlier(request, united.first)) united.first = request;
  for (const range of request.audio) addRange(united.audio, range);
}

/** Of requests with the same key. The listener's hash stands for its address and user agent. */
function isAlike(one: AudioRequest, other: AudioRequest): boolean {
  return one.file === other.file && utcDayOf(one.at) === utcDayOf(other.at);
}

/** A player continues where it stopped, or requests the same bytes again. */
function addRange(ranges: ByteRange[], { start, end }: ByteRange): void {
  const last = ranges.at(-1);
  if (last === undefined || start < last.start || start > last.end + 1) ranges.push({ start, end });
  else if (end > last.end) ranges[ranges.length - 1] = { start: last.start, end };
}
