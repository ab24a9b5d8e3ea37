import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyaddr from '@fastify/proxy-addr';

export type AddressReader = (request: IncomingMessage) => string;

/**
 * The address of the other end of a connection: '' if it is unknown. A socket that is closed has no
 * address, so it is remembered when the connection is accepted.
 */
export class PeerAddresses {
  readonly #addresses = new WeakMap<Socket, string>();

  remember(socket: Socket): string {
    const address = socket.remoteAddress ?? '';
    this.#addresses.set(socket, address);
    return address;
  }

  of(socket: Socket): string {
    return this.#addresses.get(socket) ?? socket.remoteAddress ?? '';
  }
}

/**
 * Reads the address of a request's client, at any time. Trusts `X-Forwarded-For` only as far as
 * TRUST_PROXY allows: a number of hops, or the networks of our own proxies.
 */
export function createAddressReader(
  trustProxy: number | readonly string[],
  peers = new PeerAddresses(),
): AddressReader {
  if (trustProxy === 0) return ({ socket }) => peers.of(socket);
  const trust = createTrust(trustProxy);
  return ({ socket, headers }) => {
    const seen = { headers, socket: { remoteAddress: peers.of(socket) } } as IncomingMessage;
    return withoutPort(proxyaddr(seen, (address, hop) => trust(withoutPort(address), hop)));
  };
}

/** Whether the address at this hop, counted from us, is one of our own proxies. */
export function createTrust(
  trustProxy: number | readonly string[],
): (address: string, hop: number) => boolean {
  // Also if no proxy is trusted: 0 hops.
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  return proxyaddr.compile([...trustProxy]);
}

/**
 * Some proxies add the client's port, as `192.0.2.1:5678` or `[2001:db8::1]:5678`. Each connection
 * has another one, and would be another client.
 */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}
