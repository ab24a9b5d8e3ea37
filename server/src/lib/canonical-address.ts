import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * One spelling for each IP address: IPv4 also for `::ffff:192.0.2.1`, IPv6 in lower case, shortened
 * and without a zone. Undefined if the text is not an address.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const zone = text.indexOf('%');
  const address = ipaddr.IPv6.parse(zone < 0 ? text : text.slice(0, zone));
  return address.isIPv4MappedAddress()
    ? address.toIPv4Address().toString()
    : address.toRFC5952String();
}
