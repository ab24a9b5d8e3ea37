import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/**
 * Parses the entries of OUTBOUND_ALLOW: CIDR networks or single addresses. Throws with the invalid
 * entry.
 */
export function parseNetworks(entries: readonly string[]): Network[] {
  return entries.map((entry) => {
    try {
      if (entry.includes('/')) return ipaddr.parseCIDR(entry);
      // Only the four-part form: ipaddr.js would read "10" as 0.0.0.10.
      if (!entry.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(entry)) throw new Error();
      const address = ipaddr.parse(entry);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    } catch (error) {
      throw new Error(`${JSON.stringify(entry)} is neither a network nor an address`, {
        cause: error,
      });
    }
  });
}

/** Returns a function that decides whether an address from DNS or a socket is allowed. */
export function createAddressFilter(allowed: readonly string[]): (address: string) => boolean {
  const networks = parseNetworks(allowed);
  return (text) => {
    if (!ipaddr.isValid(text) || ipv4Compatible.test(text)) return false;
    // The kernel connects an IPv4-mapped address to that IPv4 address.
    const address = ipaddr.process(text);
    return isPublic(address) || networks.some((network) => isWithin(address, network));
  };
}

// ipaddr.js confuses ::1.2.3.4, an obsolete address, with ::ffff:1.2.3.4.
const ipv4Compatible = /^::\d+\.\d+\./;

function isWithin(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

// Addresses that ipaddr.js calls unicast but that are not public: Azure's host agent, which every
// machine there can reach, and all unallocated IPv6 (including ::a.b.c.d).
const azureHostAgent = parseNetworks(['168.63.129.16']);
const globalUnicastV6 = parseNetworks(['2000::/3']);

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4'
    ? !azureHostAgent.some((network) => isWithin(address, network))
    : globalUnicastV6.some((network) => isWithin(address, network));
}
