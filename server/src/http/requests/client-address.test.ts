import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createAddressReader } from './client-address.ts';

/** A request from a proxy at 10.0.0.1. */
function requestWith(forwardedFor: string | undefined): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: '10.0.0.1' });
  const request = new IncomingMessage(socket);
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor;
  return request;
}

describe('the address of a client', () => {
  // SET-5
  it.each([
    ['no proxy is trusted', 0, '192.0.2.1', '10.0.0.1'],
    ['the proxy sends no header', 1, undefined, '10.0.0.1'],
    ['one hop is trusted', 1, '203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['two hops are trusted', 2, '203.0.113.9, 192.0.2.1', '203.0.113.9'],
    ['networks are trusted', ['10.0.0.0/8'], '203.0.113.9, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['it is an IPv6 address', 1, '2001:db8::1', '2001:db8::1'],
    ['the proxy adds a port', 1, '192.0.2.1:5678', '192.0.2.1'],
    ['it adds one to IPv6', 1, '[2001:db8::1]:5678', '2001:db8::1'],
    ['it writes brackets', 1, '[2001:db8::1]', '2001:db8::1'],
    ['each of two proxies adds one', ['10.0.0.0/8'], '192.0.2.1:5678, 10.0.0.2:9', '192.0.2.1'],
    ['it is no address', 1, 'unknown', 'unknown'],
  ])('the address of a client is found where %s', (_case, trustProxy, forwardedFor, expected) => {
    expect(createAddressReader(trustProxy)(requestWith(forwardedFor))).toBe(expected);
  });
});
