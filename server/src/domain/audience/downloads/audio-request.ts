import type { ByteRange } from '../../../lib/byte-range.ts';
import type { UtcDay } from '../../../lib/utc-day.ts';
import type { MediaMarker } from '../../foundation/addresses.ts';

/**
 * No request is earlier: nobody published podcasts before. A machine whose clock was not set yet is
 * often in 1970.
 */
export const firstRequestMs = Date.UTC(2000, 0, 1);

/** Where the address of the audio was published. */
export const downloadSources = ['feed', 'player', 'listen_page', 'direct'] as const;
export type DownloadSource = (typeof downloadSources)[number];

const markedSources: Readonly<Record<MediaMarker, DownloadSource>> = {
  f: 'feed',
  p: 'player',
  l: 'listen_page',
};

export function sourceOf(marker: MediaMarker | undefined): DownloadSource {
  return marker === undefined ? 'direct' : markedSources[marker];
}

/** Why a request can never count, whatever its client is. Of these, only the number is kept. */
export const refusals = [
  'head',
  'not_modified',
  'redirect',
  'error',
  'prefetch',
  'probe',
  'unknown_range',
] as const;
export type Refusal = (typeof refusals)[number];

/**
 * Why a request did not count: a reason of the request itself, a rule about its client, or too many
 * listeners behind one address.
 */
export const rejectionReasons = [
  ...refusals,
  'bot',
  'data_center',
  'future',
  'too_many_listeners',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/**
 * A request for audio as evidence: without the client's address. Or several of one listener for the
 * same audio: then all but the time, the ranges and the number are those of the earliest.
 */
export interface AudioRequest {
  /**
   * The time of the first request. Its UTC day is the day of the download, and that of all
   * requests.
   */
  readonly at: Date;
  /** The number of requests that were united. */
  readonly requests: number;
  readonly podcastId: string;
  readonly episodeId: string;
  /** A hash of address and user agent with a secret of the day: 32 hex digits. */
  readonly listener: string;
  /**
   * A hash of the client's network with the same secret: 16 hex digits. Null: unknown, because an
   * earlier version received the request.
   */
  readonly addressHash: string | null;
  /**
   * The listener was hashed with the secret of the logs that were begun on this day. Missing: with
   * that of the request's day, or with one that is destroyed already.
   */
  readonly logBegunOn?: UtcDay;
  /** At most 512 characters; null: empty or missing. */
  readonly userAgent: string | null;
  /** The number of the client's autonomous system. */
  readonly network: number | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly source: DownloadSource;
  /** A host. */
  readonly referrer: string | null;
  /** Known when the request came, and final. */
  readonly refusal: RejectionReason | null;
  /** Identifies the version of the audio: 16 hex digits of its hash. */
  readonly file: string;
  /**
   * The number of audio bytes that make a download: sixty seconds, or all of the audio if it is
   * shorter.
   */
  readonly neededBytes: number;
  /** The audio bytes that were delivered, by their position in the file without the leading tag. */
  readonly audio: readonly ByteRange[];
}

/** Requests that can never count, of which only this is kept. */
export function refusedRequests(
  { at, podcastId, episodeId }: Pick<AudioRequest, 'at' | 'podcastId' | 'episodeId'>,
  refusal: RejectionReason,
  requests = 1,
): AudioRequest {
  return { ...nothingKnown, at, requests, podcastId, episodeId, refusal };
}

const nothingKnown = {
  listener: '',
  addressHash: null,
  userAgent: null,
  network: null,
  country: null,
  source: 'direct',
  referrer: null,
  file: '',
  neededBytes: 0,
  audio: [],
} as const;

/** A request with what the rules say of its client. */
export interface ClassifiedRequest extends AudioRequest {
  /** Null: it may count. */
  readonly rejected: RejectionReason | null;
  readonly app: string;
  readonly device: string;
}
