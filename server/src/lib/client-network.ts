import { isIPv4, isIPv6 } from 'node:net';

/** How many times the limit of one network a site has: as much as that many IPv4 addresses. */
const networksOfSite = 10;

/** Invalid addresses share one key, so that garbage gains no extra quota. */
const UNKNOWN = 'unknown';

/**
 * The key that clients share for a rate limit: an IPv4 address (also if written as
 * `::ffff:a.b.c.d`), or the /64 of an IPv6 address (`2001:db8:0:1::/64`). Every spelling gives the
 * same key.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return isIPv4(address) ? address : UNKNOWN;
  if (!isIPv6(address)) return UNKNOWN;

  const zone = address.indexOf('%');
  const groups = expandGroups(zone < 0 ? address : address.slice(0, zone));
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const isMapped = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff;
  if (isMapped) return `${g >> 8}.${g & 0xff}.${h >> 8}.${h & 0xff}`;
  const shared = [a, b, c, d].map((group) => group.toString(16));
  return `${shared.join(':')}::/64`;
}

/**
 * The same with the /48 of an IPv6 address (`2001:db8:1::/48`): one customer may have all of its /64s.
 * Different customers may share it too, so as a limit it has a multiple (`limitsOfNetwork`).
 */
export function clientSite(address: string): string {
  return siteOfNetwork(clientNetwork(address));
}

/** The site of a `clientNetwork`. An IPv4 address is its own. */
export function siteOfNetwork(network: string): string {
  return network.endsWith('::/64') ? `${network.split(':', 3).join(':')}::/48` : network;
}

/**
 * Who takes turns with others: the site of an IPv6 network, and the /24 of an IPv4 address (`203.0.113.0/24`).
 * Many addresses of a /24 are easily rented, and its other customers still have their turns.
 */
export function blockOfNetwork(network: string): string {
  if (!isIPv4(network)) return siteOfNetwork(network);
  return `${network.slice(0, network.lastIndexOf('.'))}.0/24`;
}

/**
 * The /16 of an IPv4 block, or the /32 of an IPv6 one, which one provider has: whoever has a new block for each
 * request most likely has them all there. Anything else is returned as it is.
 */
export function regionOfBlock(block: string): string {
  if (block.endsWith('.0/24')) return `${block.split('.', 2).join('.')}.0.0/16`;
  if (block.endsWith('::/48')) return `${block.split(':', 2).join(':')}::/32`;
  return block;
}

/** At most so many of everybody with this key. */
export interface NetworkLimit {
  readonly key: string;
  readonly most: number;
}

/**
 * The limits of a `clientNetwork` of which each may have `most` (LIM-2): its own, and that of its site. Without the
 * second, one customer with a /48 would have the limits of 65,536 clients. Where attempts count even if they are
 * refused, count them in this order: what a network has too many of must not use up the limit of its site.
 */
export function limitsOfNetwork(network: string, most: number): NetworkLimit[] {
  const site = siteOfNetwork(network);
  const own = { key: network, most };
  return site === network ? [own] : [own, { key: site, most: most * networksOfSite }];
}

/** The eight 16-bit groups of a valid address. */
function expandGroups(address: string): number[] {
  const gap = address.indexOf('::');
  if (gap < 0) return readGroups(address);
  const left = readGroups(address.slice(0, gap));
  const right = readGroups(address.slice(gap + 2));
  while (left.length + right.length < 8) left.push(0);
  return left.concat(right);
}

function readGroups(text: string): number[] {
  const groups: number[] = [];
  if (text === '') return groups;
  for (const part of text.split(':')) {
    if (part.includes('.')) {
      const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
      groups.push(a * 256 + b, c * 256 + d);
    } else {
      groups.push(Number.parseInt(part, 16));
    }
  }
  return groups;
}
