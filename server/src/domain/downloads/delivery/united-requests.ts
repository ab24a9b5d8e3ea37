import type { ByteRange } from '../../../lib/byte-range.ts';
import { earliest } from '../../../lib/earliest.ts';
import { utcDayOf } from '../../../lib/utc-day.ts';
import type { AudioRequest } from '../audio-request.ts';

/** A request with more ranges is not united with others. */
const mostRanges = 100;

interface United {
  readonly first: AudioRequest;
  at: Date;
  requests: number;
  /** Undefined: that of the first request, which is still alone. */
  audio: ByteRange[] | undefined;
}

/**
 * Unites requests of a listener for the same audio that differ only in time and ranges. The rules
 * give the same results: the earliest time, the reason of a refusal, all bytes, and the number of
 * requests stay.
 */
export class UnitedRequests {
  readonly #all: United[] = [];
  readonly #lastOf = new Map<string, United>();

  add(request: AudioRequest): void {
    const last = this.#lastOf.get(request.listener);
    if (last !== undefined && isAlike(last.first, request) && hasRoom(last)) {
      unite(last, request);
      return;
    }
    const { at, requests } = request;
    const united = { first: request, at, requests, audio: undefined };
    this.#all.push(united);
    this.#lastOf.set(request.listener, united);
  }

  get size(): number {
    return this.#all.length;
  }

  /** The earliest time of a request; undefined: there is none. */
  get earliestAt(): Date | undefined {
    return earliest(this.#all.map(({ at }) => at));
  }

  /** In the order in which they began. Removes them here. */
  take(): AudioRequest[] {
    this.#lastOf.clear();
    return this.#all
      .splice(0)
      .map(({ first, at, requests, audio }) =>
        audio === undefined ? first : { ...first, at, requests, audio },
      );
  }
}

function hasRoom({ first, audio }: United): boolean {
  return (audio ?? first.audio).length < mostRanges;
}

function unite(united: United, request: AudioRequest): void {
  united.audio ??= [...united.first.audio];
  united.requests += request.requests;
  if (request.at < united.at) united.at = request.at;
  for (const range of request.audio) addRange(united.audio, range);
}

/** The listener's hash stands for its address and user agent. */
function isAlike(one: AudioRequest, other: AudioRequest): boolean {
  return (
    one.episodeId === other.episodeId &&
    one.file === other.file &&
    one.source === other.source &&
    one.referrer === other.referrer &&
    one.refusal === other.refusal &&
    utcDayOf(one.at) === utcDayOf(other.at)
  );
}

/** A player continues where it stopped, or requests the same bytes again. */
function addRange(ranges: ByteRange[], { start, end }: ByteRange): void {
  const last = ranges.at(-1);
  if (last === undefined || start < last.start || start > last.end + 1) ranges.push({ start, end });
  else if (end > last.end) ranges[ranges.length - 1] = { start: last.start, end };
}
