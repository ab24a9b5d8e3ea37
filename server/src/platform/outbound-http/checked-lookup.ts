import { isIP, type LookupFunction } from 'node:net';
import type { LookupAddresses } from './lookup-addresses.ts';
import { OutboundError } from './outbound-http.ts';
import type { AddressFilter } from './public-address.ts';

/**
 * Resolves a host name for a connection to `port`, keeping only addresses that pass `isAllowed`. The
 * socket connects to a checked address without resolving again, so DNS rebinding has no effect.
 */
export function createCheckedLookup(
  isAllowed: AddressFilter,
  port: number,
  lookupAddresses: LookupAddresses,
): LookupFunction {
  return (hostname, options, callback) => {
    findAllowed(hostname, (address) => isAllowed(address, port), lookupAddresses).then(
      (found) => {
        const { address, family } = found[0];
        if (options.all === true) callback(null, found);
        else callback(null, address, family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

interface FoundAddress {
  address: string;
  family: number;
}

async function findAllowed(
  hostname: string,
  isAllowed: (address: string) => boolean,
  lookupAddresses: LookupAddresses,
): Promise<[FoundAddress, ...FoundAddress[]]> {
  const addresses = await lookupAddresses(hostname);
  const found = addresses.filter(isAllowed).map((address) => ({ address, family: isIP(address) }));
  const [first, ...others] = found;
  if (first !== undefined) return [first, ...others];
  if (addresses.length > 0) throw addressNotAllowed(hostname);
  throw new OutboundError('unreachable', `${hostname} has no address`);
}

export function addressNotAllowed(host: string): OutboundError {
  return new OutboundError('address_not_allowed', `${host} is not on the public internet`);
}
