import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

// Addresses that ipaddr.js calls unicast but that are not public: Azure's host agent, which every
// machine there can reach, and all unallocated IPv6 (including ::a.b.c.d).
const azureHostAgent = ipaddr.parseCIDR('168.63.129.16/32');
const globalUnicastV6 = ipaddr.parseCIDR('2000::/3');

/** Nobody has them (RFC 5737, RFC 3849). */
const documentation = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'].map(
  (network) => ipaddr.parseCIDR(network),
);

/** Whether it is an address of the internet. */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4'
    ? !isWithin(address, azureHostAgent)
    : isWithin(address, globalUnicastV6);
}

/**
 * Whether it can be that of another machine behind the internet: it is not public, or not an address. Those of the
 * machine itself are the same everywhere, and those of documentation nowhere.
 */
export function isInternalAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return true;
  const address = ipaddr.process(text);
  if (isPublic(address) || address.range() === 'loopback') return false;
  return !documentation.some((network) => isWithin(address, network));
}

export function isWithin(address: Address, [network, bits]: Readonly<Network>): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
