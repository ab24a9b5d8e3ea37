import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDomain, removeDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { type RunningHttp, startHttp } from '../../src/start-http.ts';
import { createTestContext, type TestContext } from '../create-test-context.ts';
import { freePort } from '../free-port.ts';
import { type DnsServer, openDnsServer } from '../hosts/dns-server.ts';
import { hasPebble, type Pebble, startPebble } from '../hosts/pebble.ts';
import { makePodcast } from '../make.ts';
import { patience } from '../patience.ts';
import { type Caddy, hasCaddy, startCaddy } from '../start-caddy.ts';

const here = '127.0.0.1';
const host = 'pod.example';

describe.skipIf(!hasCaddy || !hasPebble)(
  'certificates of own domains (needs Caddy, Pebble)',
  () => {
    let opened: AsyncDisposableStack;
    let test: TestContext;
    let names: DnsServer;
    let caddy: Caddy;
    let pebble: Pebble;
    let podcastId: string;

    beforeAll(async () => {
      opened = new AsyncDisposableStack();
      const folder = await mkdtemp(join(tmpdir(), 'podstead-tls-'));
      opened.defer(() => rm(folder, { recursive: true, force: true }));
      names = opened.use(await openDnsServer());
      const [port, metricsPort] = [await freePort(), await freePort()];
      test = opened.use(
        await createTestContext(
          {
            ...{ PORT: String(port), METRICS_PORT: String(metricsPort), TRUST_PROXY: '1' },
            ...{ DOMAIN_TARGET: here, DNS_SERVERS: names.address, BASE_URL: 'https://test.local' },
          },
          { clock: systemClock },
        ),
      );
      opened.use<RunningHttp>(await startHttp(test));
      const challenges = { httpPort: await freePort(), httpsPort: await freePort() };
      pebble = opened.use(await startPebble(folder, names.address, challenges));
      caddy = opened.use(
        await startCaddy(folder, port, {
          ports: challenges,
          tlsAsk: `http://${here}:${metricsPort}/tls-allowed`,
          options: [`acme_ca ${pebble.directory}`, `acme_ca_root ${pebble.rootFile}`],
        }),
      );
      podcastId = (await makePodcast(test.ctx, { title: 'Night Signals', slug: 'night' })).id;
    });
    afterAll(() => opened.disposeAsync());

    /** With the certificate for this name, which must be valid. */
    async function get(name: string, path = '/') {
      const request = httpsGet({
        ...{ host: here, port: caddy.httpsPort, path, servername: name, ca: pebble.issuer },
        ...{ headers: { host: name }, agent: false },
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return { statusCode: response.statusCode, body: await text(response) };
    }

    async function verify(): Promise<void> {
      names.zone[host] = { a: [here] };
      const { token } = await setDomain(test.ctx, podcastId, host);
      names.zone[`_podstead.${host}`] = { txt: [token] };
      expect((await checkDomain(test.ctx, podcastId)).state).toBe('verified');
    }

    // DOMAIN-6, DOMAIN-7
    it('a name gets a certificate once it is verified, and serves its show', async () => {
      names.zone['stranger.example'] = { a: [here] };
      for (const name of [host, 'stranger.example']) await expect(get(name)).rejects.toThrow();
      await verify();
      await expect
        .poll(() => get(host).catch(() => undefined), patience)
        .toMatchObject({
          statusCode: 200,
          body: expect.stringContaining('Night Signals'),
        });
      expect((await get(host, '/feed.xml')).body).toContain(`href="https://${host}/feed.xml"`);
      expect((await get(host, '/app/sign-in')).statusCode).toBe(404);
      await expect(get('stranger.example')).rejects.toThrow();
    });

    it('http redirects to https', async () => {
      const request = httpGet({ host: here, port: caddy.httpPort, path: '/', headers: { host } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      expect([response.statusCode, response.headers.location]).toEqual([308, `https://${host}/`]);
    });

    it('a name that is removed no longer serves the show, and gets no new certificate', async () => {
      await removeDomain(test.ctx, podcastId);
      expect((await get(host, '/feed.xml')).statusCode).toBe(404);
      await expect
        .poll(async () => (await get(host)).body, patience)
        .not.toContain('Night Signals');
      const allowed = `http://${here}:${test.config.http.metricsPort}/tls-allowed?domain=${host}`;
      await expect.poll(async () => (await fetch(allowed)).status, patience).toBe(404);
    });
  },
);
