import type { IncomingMessage } from 'node:http';
import proxyaddr from '@fastify/proxy-addr';

export type AddressReader = (request: IncomingMessage) => string;

/**
 * The address a request came from. `X-Forwarded-For` is believed only as far as TRUST_PROXY says:
 * a number of hops, or the networks our own proxies stand in.
 */
export function createAddressReader(trustProxy: number | readonly string[]): AddressReader {
  if (trustProxy === 0) return (request) => request.socket.remoteAddress ?? '';
  const trust =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : proxyaddr.compile([...trustProxy]);
  return (request) => proxyaddr(request, trust);
}
