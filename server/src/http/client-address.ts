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
  return (request) =>
    withoutPort(proxyaddr(request, (address, hop) => trust(withoutPort(address), hop)));
}

/**
 * Some proxies add the client's port, as `192.0.2.1:5678` or `[2001:db8::1]:5678`. Each connection
 * has another one, and would be another client.
 */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}
