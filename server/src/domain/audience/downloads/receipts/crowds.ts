import type { AudioRequest } from '../audio-request.ts';

/** The listeners of an episode on a day who have an address, or one in the same IPv6 /48. */
export interface Crowd {
  readonly episodeId: string;
  /** That of a site is the one of any of its addresses. */
  readonly addressHash: string;
  readonly of: 'address' | 'site';
}

/**
 * So many listeners of a crowd have places of each stage (`stageParts`). An address is a /64 if it is IPv6
 * (COUNT-9). One customer may have all those of a /48, and different customers may share it, so it has as much as
 * ten addresses (COUNT-22).
 */
export const mostListenersOf = { address: 500, site: 5_000 } as const;

/** The last digit of the hash of an IPv6 address is odd, and the first eight are those of its /48. */
const siteDigits = 8;

/** Marks the hash of an address: 16 hex digits. `site`: the hash of its /48, if it has one. */
export function markHash(address: string, site?: string): string {
  const last = Number.parseInt(address.slice(-1), 16);
  if (site === undefined) return address.slice(0, -1) + (last & ~1).toString(16);
  return site.slice(0, siteDigits) + address.slice(siteDigits, -1) + (last | 1).toString(16);
}

/** Those that a listener is in. The listeners of earlier versions have no address. */
export function crowdsOf({
  episodeId,
  addressHash,
}: Pick<AudioRequest, 'episodeId' | 'addressHash'>): Crowd[] {
  if (addressHash === null) return [];
  const own = { episodeId, addressHash, of: 'address' } as const;
  const hasSite = Number.parseInt(addressHash.slice(-1), 16) % 2 === 1;
  return hasSite ? [own, { ...own, of: 'site' }] : [own];
}

/** The same for the same crowd. */
export function crowdKey({ episodeId, addressHash, of }: Crowd): string {
  return `${episodeId} ${of === 'site' ? addressHash.slice(0, siteDigits) : addressHash}`;
}
