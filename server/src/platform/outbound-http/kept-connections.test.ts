import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { makeCertificate } from '../../../test/hosts/certificate.ts';
import { openHttpHost } from '../../../test/hosts/http-host.ts';
import { patience } from '../../../test/patience.ts';
import { createOutboundHttp } from './create-outbound-http.ts';
import { KeptConnections } from './kept-connections.ts';
import { openHop } from './open-hop.ts';
import type { OutboundRequest } from './outbound-http.ts';

const request: OutboundRequest = {
  ...{ maxBytes: 1_000_000, timeoutMs: 50_000, method: 'POST', body: 'hello' },
  keepsConnection: true,
};
const certificate = makeCertificate();
const clientOf = () =>
  createOutboundHttp({
    ...{ allow: ['127.0.0.1'], userAgent: 'test' },
    ...(certificate && { authority: certificate.cert }),
  });

describe('connections that are kept', () => {
  it.each([
    ['http', 200, 'text', true, 1],
    ['http', 204, '', true, 1],
    ['http', 500, 'text', true, 1],
    ['https', 200, 'text', true, 1],
    ['http', 200, 'text', false, 4],
  ])('four requests by %s with responses of %d and %j, kept: %s, need %d', async (...row) => {
    const [protocol, status, text, keepsConnection, expected] = row;
    if (protocol === 'https' && certificate === undefined) return;
    await using host = await openHttpHost(
      (_, response) => response.writeHead(status).end(text),
      protocol === 'https' ? certificate : undefined,
    );
    await using outbound = clientOf();
    for (let sent = 0; sent < 4; sent += 1) {
      const response = await outbound.request(host.url, { ...request, keepsConnection });
      expect(response.status).toBe(status);
      expect(Buffer.concat(await response.body.toArray()).toString()).toBe(text);
      // The client frees a connection in the turn after the end of the response.
      await setImmediate();
    }
    expect(host.connections().opened).toBe(expected);
  });

  it('a connection whose response was not read to its end is closed', async () => {
    await using host = await openHttpHost((_, response) => response.end('x'.repeat(900_000)));
    await using outbound = clientOf();
    for (let sent = 0; sent < 2; sent += 1)
      (await outbound.request(host.url, request)).body.destroy();
    await vi.waitFor(() => expect(host.connections()).toEqual({ opened: 2, open: 0 }), patience);
  });

  it('a request is sent again on another connection if the server had closed the kept one', async () => {
    let requests = 0;
    await using host = await openHttpHost((_, response) => {
      requests += 1;
      if (requests === 2) response.socket?.destroy();
      else response.end('text');
    });
    await using outbound = clientOf();
    for (let sent = 0; sent < 2; sent += 1) {
      const { body, status } = await outbound.request(host.url, request);
      expect([status, Buffer.concat(await body.toArray()).toString()]).toEqual([200, 'text']);
      await setImmediate();
    }
    expect([requests, host.connections().opened]).toEqual([3, 2]);
  });

  it('a connection that fails at its first request is not tried again', async () => {
    await using host = await openHttpHost((_, response) => response.socket?.destroy());
    await using outbound = clientOf();
    await expect(outbound.request(host.url, request)).rejects.toMatchObject({
      reason: 'unreachable',
    });
    expect(host.connections().opened).toBe(1);
  });

  // IMPORT-9, NOTIFY-12
  it('the address of a kept connection is checked before each request', async () => {
    await using host = await openHttpHost((_, response) => response.end('text'));
    using kept = new KeptConnections();
    let isAllowed = true;
    const ask = async () => {
      const url = new URL(`http://moved.test:${host.port}/`);
      const hop = { url, method: 'GET', headers: {}, body: undefined } as const;
      const { body } = await openHop(hop, {
        isAllowed: () => isAllowed,
        lookupAddresses: async () => ['127.0.0.1'],
        ...{ authority: undefined, connectTimeoutMs: undefined, kept },
        signal: new AbortController().signal,
      });
      await body.toArray();
      await setImmediate();
    };
    await ask();
    await ask();
    isAllowed = false;
    await expect(ask()).rejects.toMatchObject({ reason: 'address_not_allowed' });
    expect([host.requests.length, host.connections().opened]).toEqual([2, 1]);
  });

  it('few idle connections are kept, and not for long', async () => {
    await using stack = new AsyncDisposableStack();
    const hosts = await Promise.all(
      Array.from({ length: 5 }, () => openHttpHost((_, response) => response.end('text'))),
    );
    for (const host of hosts) stack.use(host);
    const kept = stack.use(new KeptConnections({ idleMs: 1_000, mostIdle: 2 }));
    for (const { url } of hosts) {
      const hop = { url: new URL(url), method: 'GET', headers: {}, body: undefined } as const;
      const { body } = await openHop(hop, {
        isAllowed: () => true,
        lookupAddresses: async () => [],
        ...{ authority: undefined, connectTimeoutMs: undefined, kept },
        signal: new AbortController().signal,
      });
      await body.toArray();
    }
    const open = () => hosts.reduce((sum, host) => sum + host.connections().open, 0);
    await vi.waitFor(() => expect(open()).toBeLessThanOrEqual(2), patience);
    await vi.waitFor(() => expect(open()).toBe(0), patience);
  });
});
