import { hash } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { type ByteRange, countBytes } from '../../../lib/byte-range.ts';
import { canonicalAddress } from '../../../lib/canonical-address.ts';
import { clientNetwork, siteOfNetwork } from '../../../lib/client-network.ts';
import type { Geo } from '../../../platform/geo/geo.ts';
import { type AudioRequest, type Refusal, refusedRequests } from './audio-request.ts';
import type { MediaFile, ObservedRequest } from './observed-request.ts';
import { markHash } from './receipts/crowds.ts';

/** What makes a download: this much audio, or all of it if it is shorter. */
export const neededSeconds = 60;
/** A client that asks for so little asks whether there is a file. */
const probeBytes = 2;
const maxUserAgentChars = 512;
const maxHostChars = 253;

/** What is known of a client once its address is gone. */
export type HiddenClient = Pick<AudioRequest, 'listener' | 'addressHash'> & {
  readonly place: ClientPlace;
};

/** Replaces the address by hashes with the day's secret, and bytes of the file by bytes of audio. */
export function toAudioRequest(
  observed: ObservedRequest,
  secret: Buffer,
  place: ClientPlace,
): AudioRequest {
  const refusal = findRefusal(observed);
  if (refusal !== null) return refusedRequests(observed, refusal);
  return toRequestOf(hideClient(secret, observed, place), observed);
}

export function hideClient(
  secret: Buffer,
  { address, userAgent }: Pick<ObservedRequest, 'address' | 'userAgent'>,
  place: ClientPlace,
): HiddenClient {
  const listener = hashListener(secret, address, userAgent ?? '');
  return { listener, addressHash: hashAddress(secret, address), place };
}

/** A request that is not refused. */
export function toRequestOf(
  { listener, addressHash, place: { country, network } }: HiddenClient,
  observed: ObservedRequest,
): AudioRequest {
  const { at, podcastId, episodeId, source, file } = observed;
  return {
    at,
    requests: 1,
    podcastId,
    episodeId,
    listener,
    addressHash,
    userAgent: storableText(observed.userAgent?.slice(0, maxUserAgentChars)) || null,
    network,
    country,
    source,
    referrer:
      tryParseHost(observed.framingHost && `https://${observed.framingHost}/`) ??
      tryParseHost(observed.referrer),
    refusal: null,
    file: file.hash.slice(0, 16),
    neededBytes: neededBytes(file),
    audio: audioRanges(observed),
  };
}

/**
 * 32 hex digits, which lead back to nobody once the secret is gone. Servers spell addresses in
 * different ways: all count as one.
 */
export function hashListener(secret: Buffer, address: string, userAgent: string): string {
  const spelled = canonicalAddress(address) ?? address;
  // A UTF-16 unit takes at most three bytes.
  const bytes = Buffer.allocUnsafe(secret.length + (spelled.length + userAgent.length) * 3 + 1);
  let size = secret.copy(bytes);
  size += bytes.write(spelled, size);
  bytes[size] = 0;
  size += 1;
  size += bytes.write(userAgent, size);
  return hash('sha256', bytes.subarray(0, size), 'hex').slice(0, 32);
}

/**
 * 16 hex digits (`markHash`), the same for all that one network sends: an IPv4 address, or the /64 of an IPv6
 * one.
 */
export function hashAddress(secret: Buffer, address: string): string {
  const digits = (text: string) =>
    hash('sha256', Buffer.concat([secret, Buffer.from(`\0${text}`)]), 'hex').slice(0, 16);
  // Some logs have another name in the place of the address.
  const network = isIP(address) === 0 ? address : clientNetwork(address);
  const site = siteOfNetwork(network);
  return markHash(digits(network), site === network ? undefined : digits(site));
}

export function neededBytes(file: Omit<MediaFile, 'hash'>): number {
  const audioBytes = Math.max(0, file.sizeBytes - file.leadingTagBytes);
  return Math.min(audioBytes, Math.ceil((file.bitrateBps * neededSeconds) / 8));
}

export function findRefusal(observed: ObservedRequest): Refusal | null {
  const { method, status, isPrefetch, sent, isPlaceKnown = true, file } = observed;
  if (method === 'HEAD') return 'head';
  if (status === 304) return 'not_modified';
  if (status >= 300 && status < 400) return 'redirect';
  if (method !== 'GET' || (status !== 200 && status !== 206)) return 'error';
  if (isPrefetch) return 'prefetch';
  if (countBytes(sent) <= probeBytes) return 'probe';
  // Bytes of an unknown place may be those of another request: they count alone or not at all.
  const isEnough = isPlaceKnown || countBytes(audioRanges(observed)) >= neededBytes(file);
  return isEnough ? null : 'unknown_range';
}

/**
 * Whether nothing that is still delivered can change what this request counts for: it is refused,
 * or what was delivered of it is a download.
 */
export function isDecided(observed: ObservedRequest): boolean {
  const refusal = findRefusal(observed);
  if (refusal !== null) return refusal !== 'probe';
  return countBytes(audioRanges(observed)) >= neededBytes(observed.file);
}

function audioRanges({ file, sent }: ObservedRequest): ByteRange[] {
  return sent
    .map(({ start, end }) => ({
      start: Math.max(start, file.leadingTagBytes),
      end: Math.min(end, file.sizeBytes - 1),
    }))
    .filter(({ start, end }) => start <= end);
}

/** Logs may hold what no header can: the database takes no NUL and no half of a surrogate pair. */
function storableText(text: string | undefined): string | undefined {
  return text?.replaceAll('\0', ' ').toWellFormed();
}

function tryParseHost(address: string | undefined): string | null {
  if (address === undefined || address.length > 2048 || !URL.canParse(address)) return null;
  const { protocol, hostname } = new URL(address);
  if (!/^https?:$/.test(protocol)) return null;
  // A dot at the end names the same host.
  const host = hostname.replace(/\.$/, '');
  // Somebody's own server at home would tell where they are. It has an address, or a name without dots.
  if (host.startsWith('[') || isIPv4(host) || !host.includes('.')) return null;
  // No name is longer, and no index takes all that parses as one.
  return host.length <= maxHostChars ? host : null;
}

/** What is known of a client's address once the address is gone. */
export interface ClientPlace {
  readonly country: string | null;
  readonly network: number | null;
}

/** The country of an address and the number of its network. Never rejects. */
export async function locateClient(geo: Geo, address: string): Promise<ClientPlace> {
  const { country, network } = await geo.locate(address);
  const [, number] = /^AS(\d{1,10})\b/.exec(network ?? '') ?? [];
  return { country, network: number === undefined ? null : Number(number) };
}
