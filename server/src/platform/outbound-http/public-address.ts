import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { isPublic, isWithin } from '../../lib/internal-address.ts';

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

export interface AddressRules {
  /** OUTBOUND_ALLOW: networks or addresses that are allowed besides public ones. */
  readonly allow: readonly string[];
  /** The ports of this machine that the public can reach. */
  readonly ownPorts?: readonly number[] | undefined;
  /** For tests: the addresses of this machine. */
  readonly ownAddresses?: (() => readonly string[]) | undefined;
}

/** Whether an address from DNS or a socket is allowed, with the port to connect to. */
export type AddressFilter = (address: string, port: number) => boolean;

/** The websites of this machine: a blog that is pinged is often on the same one. */
const webPorts = [80, 443];

/**
 * Allows public addresses. Those of this machine count as private, because firewalls and services
 * often trust it, except on the ports that are public anyway.
 */
export function createAddressFilter({
  allow,
  ownPorts = [],
  ownAddresses = listOwnAddresses,
}: AddressRules): AddressFilter {
  const networks = parseNetworks(allow);
  const publicPorts = new Set([...webPorts, ...ownPorts]);
  const isOwn = (address: Address) =>
    ownAddresses().some((own) => ipaddr.isValid(own) && isSame(ipaddr.process(own), address));
  return (text, port) => {
    if (!ipaddr.isValid(text) || ipv4Compatible.test(text)) return false;
    // The kernel connects an IPv4-mapped address to that IPv4 address.
    const address = ipaddr.process(text);
    if (networks.some((network) => isWithin(address, network))) return true;
    return isPublic(address) && (publicPorts.has(port) || !isOwn(address));
  };
}

/** Allows only the networks of OUTBOUND_ALLOW. */
export function createAllowedFilter(allow: readonly string[]): AddressFilter {
  const networks = parseNetworks(allow);
  return (text) => {
    if (!ipaddr.isValid(text) || ipv4Compatible.test(text)) return false;
    const address = ipaddr.process(text);
    return networks.some((network) => isWithin(address, network));
  };
}

/** Read each time: addresses come and go. */
function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((found = []) =>
    found.map(({ address }) => address),
  );
}

function isSame(one: Address, other: Address): boolean {
  return one.kind() === other.kind() && one.toNormalizedString() === other.toNormalizedString();
}

// ipaddr.js confuses ::1.2.3.4, an obsolete address, with ::ffff:1.2.3.4.
const ipv4Compatible = /^::\d+\.\d+\./;
