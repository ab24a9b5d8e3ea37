import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/**
 * Reads OUTBOUND_ALLOW's entries: CIDR networks or single addresses. Throws with the entry that is
 * neither.
 */
export function parseNetworks(entries: readonly string[]): Network[] {
  return entries.map((entry) => {
    try {
      if (entry.includes('/')) return ipaddr.parseCIDR(entry);
      // The four-part form alone: ipaddr.js would read "10" as 0.0.0.10.
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

/** Tells whether an address (as DNS or a socket gives it) may be connected to. */
export function createAddressFilter(allowed: readonly string[]): (address: string) => boolean {
  const networks = parseNetworks(allowed);
  return (text) => {
    if (!ipaddr.isValid(text) || ipv4Compatible.test(text)) return false;
    // An IPv4-mapped address is that IPv4 address: the kernel connects there.
    const address = ipaddr.process(text);
    return isPublic(address) || networks.some((network) => isWithin(address, network));
  };
}

// ipaddr.js reads ::1.2.3.4 as if it were ::ffff:1.2.3.4; it is another, dead address.
const ipv4Compatible = /^::\d+\.\d+\./;

function isWithin(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

// What ipaddr.js calls unicast and yet is no public host: Azure's host agent, which answers any
// machine there, and all of IPv6 that is not handed out (::a.b.c.d among it).
const azureHostAgent = parseNetworks(['168.63.129.16']);
const globalUnicastV6 = parseNetworks(['2000::/3']);

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4'
    ? !azureHostAgent.some((network) => isWithin(address, network))
    : globalUnicastV6.some((network) => isWithin(address, network));
}
