import { isDeepStrictEqual } from 'node:util';
import { type ByteRange, countBytes } from '../../../../lib/byte-range.ts';
import { type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { ClassifiedRequest } from '../audio-request.ts';

/** A set of ranges gets no more pieces than this: it comes from no player, and must not fill the memory. */
const maxPieces = 200;

/** Where a download comes from, as the earliest request tells it. */
export interface Origin {
  readonly at: Date;
  readonly source: string;
  readonly referrer: string | null;
  readonly app: string;
  readonly device: string;
  /** `unknown` if it cannot be told. */
  readonly country: string;
}

/** A listener of a podcast on a day. */
export interface Listener {
  readonly day: UtcDay;
  readonly podcastId: string;
  /** A hash, as in AudioRequest. */
  readonly listener: string;
}

/** What a listener has received of one version of an episode's audio on a day. */
export interface Receipt extends Listener {
  readonly episodeId: string;
  readonly file: string;
  readonly neededBytes: number;
  /** In order, without overlaps. */
  readonly audio: readonly ByteRange[];
  /** Enough for a download. It stays so, and the ranges then grow no more. */
  readonly isCounted: boolean;
  readonly first: Origin;
  /** As in AudioRequest; null: missing. */
  readonly logBegunOn: UtcDay | null;
  /** As in AudioRequest. */
  readonly addressHash: string | null;
}

/** A receipt that never counts, whatever is received: its download is in the sums already. */
export function withoutDownload(receipt: Receipt): Receipt {
  return { ...receipt, neededBytes: 0, audio: [], isCounted: false };
}

export function neverCounts({ neededBytes }: Receipt): boolean {
  return neededBytes === 0;
}

/** What one request brings. */
export function receiptOf(request: ClassifiedRequest): Receipt {
  const { at, podcastId, listener, episodeId, file, neededBytes } = request;
  const { source, referrer, app, device, country } = request;
  const audio = uniteRanges(request.audio);
  return {
    day: utcDayOf(at),
    podcastId,
    listener,
    episodeId,
    file,
    neededBytes,
    audio,
    isCounted: isEnough(audio, neededBytes),
    first: { at, source, referrer, app, device, country: country ?? 'unknown' },
    logBegunOn: request.logBegunOn ?? null,
    addressHash: request.addressHash,
  };
}

export function uniteWith(kept: Receipt | undefined, more: Receipt): Receipt {
  return kept === undefined ? more : uniteReceipts(kept, more);
}

/** Unites two receipts of the same audio. The result is `kept` itself if nothing changes. */
export function uniteReceipts(kept: Receipt, more: Receipt): Receipt {
  const first = isEarlier(more.first, kept.first) ? more.first : kept.first;
  if (kept.isCounted) return first === kept.first ? kept : { ...kept, first };
  const all = uniteRanges([...kept.audio, ...more.audio]);
  const audio = all.length > maxPieces ? kept.audio : all;
  const isCounted = more.isCounted || isEnough(all, kept.neededBytes);
  const isUnchanged =
    !isCounted && first === kept.first && countBytes(audio) === countBytes(kept.audio);
  return isUnchanged ? kept : { ...kept, audio, isCounted, first };
}

/** Whether they count alike. The ranges of a receipt that counts do not matter. */
export function isSame(one: Receipt, other: Receipt): boolean {
  const hasSameAudio = one.isCounted || isDeepStrictEqual(one.audio, other.audio);
  return (
    one.isCounted === other.isCounted &&
    one.neededBytes === other.neededBytes &&
    hasSameAudio &&
    isDeepStrictEqual(one.first, other.first)
  );
}

/**
 * The downloads of one listener on a day: for each episode, the earliest of the receipts that count. A
 * download is a listener of an episode on a day, of whatever version of the audio.
 */
export function downloadsOf(receipts: readonly Receipt[]): readonly Receipt[] {
  const counted = receipts.filter(({ isCounted }) => isCounted);
  if (counted.length <= 1) return counted;
  const downloads = new Map<string, Receipt>();
  for (const receipt of counted) {
    const known = downloads.get(receipt.episodeId);
    if (known === undefined || isEarlier(receipt.first, known.first))
      downloads.set(receipt.episodeId, receipt);
  }
  return [...downloads.values()];
}

/** The receipts that are not among the others, as objects. */
export function without<Some extends Receipt>(
  receipts: readonly Some[],
  others: readonly Receipt[],
): readonly Some[] {
  if (receipts.length === 0 || others.length === 0) return receipts;
  const all = new Set(others);
  return receipts.filter((receipt) => !all.has(receipt));
}

/** Of two requests at the same moment one is first in any order. */
export function isEarlier(
  one: Pick<Origin, 'at' | 'source' | 'referrer'>,
  other: Pick<Origin, 'at' | 'source' | 'referrer'>,
): boolean {
  const ms = one.at.getTime() - other.at.getTime();
  if (ms !== 0) return ms < 0;
  if (one.source !== other.source) return one.source < other.source;
  return (one.referrer ?? '') < (other.referrer ?? '');
}

function isEnough(audio: readonly ByteRange[], neededBytes: number): boolean {
  return neededBytes > 0 && countBytes(audio) >= neededBytes;
}

/** In order, without overlaps. Ranges that touch become one. */
function uniteRanges(ranges: readonly ByteRange[]): readonly ByteRange[] {
  if (ranges.length <= 1) return ranges;
  const united: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = united.at(-1);
    if (last === undefined || start > last.end + 1) united.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return united;
}
