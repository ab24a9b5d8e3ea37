import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Certificate, makeCertificate, testHost } from '../../../test/hosts/certificate.ts';
import {
  createSiteClient,
  hostileBodies,
  hostileSites,
  refusedHomes,
} from '../../../test/hosts/hostile-sites.ts';
import { openHttpHost } from '../../../test/hosts/http-host.ts';
import { createOutboundHttp } from './create-outbound-http.ts';
import type { OutboundRequest } from './outbound-http.ts';

/** The options that calls to sites have. */
const asked: OutboundRequest = {
  method: 'POST',
  body: '{}',
  maxBytes: 10_000,
  timeoutMs: 50_000,
  httpsOnly: true,
  maxRedirects: 0,
};

describe('a home that is refused', () => {
  it.each(refusedHomes)('$home, resolved to $resolvesTo', async ({ home, resolvesTo, failure }) => {
    const lookup = async () => resolvesTo ?? ['8.8.8.8'];
    const outbound = createOutboundHttp({ allow: [], userAgent: 'test', lookup });
    await expect(outbound.request(home, asked)).rejects.toMatchObject({ reason: failure });
  });
});

const certificate = makeCertificate();
describe.skipIf(certificate === undefined)('a hostile site', () => {
  const tls = certificate as Certificate;

  it.each([...hostileSites, ...hostileBodies])(
    'a site that $title is refused',
    async ({ handle, failure }) => {
      await using host = await openHttpHost(handle, tls);
      const client = createSiteClient(tls);
      const url = `https://${testHost}:${host.port}/`;
      let timeoutMs = failure === 'timeout' ? 200 : asked.timeoutMs;
      let attempts = 0;
      // On a busy machine the time may be over before the request is sent.
      for (; host.requests.length === 0; timeoutMs *= 4) {
        attempts += 1;
        const requested = client.fetchBytes(url, { ...asked, timeoutMs });
        await expect(requested).rejects.toMatchObject({ reason: failure });
      }
      expect(host.requests.length).toBeLessThanOrEqual(attempts);
    },
  );

  it('a site is refused if its certificate does not have its name', async () => {
    await using host = await openHttpHost((_, response) => response.end(), tls);
    const requested = createSiteClient(tls).request(`https://other.test:${host.port}/`, asked);
    await expect(requested).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(host.requests).toEqual([]);
  });

  it('speaks http where https is asked for', async () => {
    await using host = await openHttpHost((_, response) => response.end());
    const requested = createSiteClient(tls).request(`https://${testHost}:${host.port}/`, asked);
    await expect(requested).rejects.toMatchObject({ reason: 'unreachable' });
    expect(host.requests).toEqual([]);
  });
});

describe('the time to connect', () => {
  it('the time to connect is limited by itself, with the TLS handshake', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'test' });
    const requested = outbound.request(`https://127.0.0.1:${port}/`, {
      ...asked,
      connectTimeoutMs: 50,
    });
    await expect(requested).rejects.toMatchObject({
      reason: 'timeout',
      message: `127.0.0.1:${port} did not connect within 50 ms`,
    });
    silent.close();
  });

  it('the time to connect does not end a slow response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using host = await openHttpHost((_, response) => {
      vi.advanceTimersByTime(600);
      response.end();
    });
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'test' });
    const { status } = await outbound.request(host.url, {
      ...asked,
      httpsOnly: false,
      connectTimeoutMs: 500,
    });
    expect(status).toBe(200);
  });
});
