import { isIPv4, isIPv6 } from 'node:net';

/** Invalid addresses share one key, so that garbage gains no extra quota. */
const UNKNOWN = 'unknown';

/**
 * The key that clients share for a rate limit: an IPv4 address (also if written as
 * `::ffff:a.b.c.d`), or the /64 of an IPv6 address (`2001:db8:0:1::/64`). Every spelling gives the
 * same key.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, 4);
}

/**
 * The same with the /48 of an IPv6 address (`2001:db8:1::/48`): one customer may have all of its /64s.
 * Different customers may share it too, so it is not for limits that refuse requests of a few clients.
 */
export function clientSite(address: string): string {
  return networkOf(address, 3);
}

function networkOf(address: string, groupsOfIpv6: number): string {
  if (!address.includes(':')) return isIPv4(address) ? address : UNKNOWN;
  if (!isIPv6(address)) return UNKNOWN;

  const zone = address.indexOf('%');
  const groups = expandGroups(zone < 0 ? address : address.slice(0, zone));
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const isMapped = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff;
  if (isMapped) return `${g >> 8}.${g & 0xff}.${h >> 8}.${h & 0xff}`;
  const shared = groups.slice(0, groupsOfIpv6).map((group) => group.toString(16));
  return `${shared.join(':')}::/${groupsOfIpv6 * 16}`;
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
