import type { IncomingMessage } from 'node:http';
import proxyaddr from '@fastify/proxy-addr';

export type AddressReader = (request: IncomingMessage) => string;

/**
 * Reads the address of a request's client. Trusts `X-Forwarded-For` only as far as TRUST_PROXY
 * allows: a number of hops, or the networks of our own proxies.
 */
export function createAddressReader(trustProxy: number | readonly string[]): AddressReader {
  if (trustProxy === 0) return (request) => request.socket.remoteAddress ?? '';
  const trust =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : proxyaddr.compile([...trustProxy]);
  return (request) => proxyaddr(request, trust);
}
