import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import type { Podcast } from '../../src/domain/publishing/podcasts/index.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { type RunningHttp, startHttp } from '../../src/start-http.ts';
import { createTestContext, type TestContext } from '../create-test-context.ts';
import { freePort } from '../free-port.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../make.ts';
import { hasCaddy, startCaddy } from '../start-caddy.ts';
import { hasNginx, startNginx } from '../start-nginx.ts';

// ETags, conditions and ranges through deploy/nginx.conf and deploy/Caddyfile, as clients see them.

/** What many administrators add to nginx.conf: it compresses all that comes from other servers. */
const compressing = 'gzip on; gzip_types *; gzip_min_length 1; gzip_proxied any;';

const proxies = [
  ['nginx that sends the files', hasNginx, 'nginx'],
  ['nginx, Podstead sending the files', hasNginx, 'podstead'],
  ['Caddy', hasCaddy, undefined],
] as const;

for (const [name, isInstalled, sender] of proxies) {
  describe.skipIf(!isInstalled)(
    `requests through the documented ${name} (needs ${sender === undefined ? 'Caddy' : 'nginx'})`,
    () => {
      let opened: AsyncDisposableStack;
      let test: TestContext;
      let show: Podcast;
      let audio: string;
      let url: string;
      let headers: Record<string, string>;

      beforeAll(async () => {
        opened = new AsyncDisposableStack();
        const port = await freePort();
        const folder = await mkdtemp(join(tmpdir(), 'podstead-proxy-'));
        opened.defer(() => rm(folder, { recursive: true, force: true }));
        const settings = {
          ...{ PORT: String(port), TRUST_PROXY: '1', BASE_URL: 'http://test.local' },
          ...(sender === 'nginx' ? { X_ACCEL_REDIRECT: '/stored/' } : {}),
        };
        test = opened.use(await createTestContext(settings, { clock: systemClock }));
        opened.use<RunningHttp>(await startHttp(test));
        const owner = await makeUser(test.ctx);
        show = await makePodcast(test.ctx, { owner });
        const { id } = await makeEpisode(test.ctx, show, { slug: 'one' });
        await attachTone(test.ctx, id, 60);
        audio = `/media/${id}/f/one.mp3`;
        const { dataDir } = test.config;
        const proxy = opened.use(
          sender === undefined
            ? await startCaddy(folder, port)
            : await startNginx(folder, port, dataDir, { otherServers: compressing, sender }),
        );
        url = proxy.url;
        headers = { origin: 'http://test.local', 'content-type': 'application/json' };
        const response = await fetch(`${url}/app/api/sign-in`, {
          ...{ method: 'POST', headers },
          body: JSON.stringify({ email: owner.email, password: testPassword }),
        });
        headers['cookie'] = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      });
      afterAll(() => opened.disposeAsync());

      const get = (path: string, sent: Record<string, string> = {}) =>
        fetch(url + path, { headers: { ...headers, ...sent } });

      it.each(['gzip', 'br', 'identity'])(
        `a save through ${name} matches the ETag that was read with %s`,
        async (coding) => {
          const path = `/app/api/podcasts/${show.id}`;
          const read = await get(path, { 'accept-encoding': coding });
          const etag = read.headers.get('etag') ?? '';
          expect([read.status, etag]).toEqual([200, expect.stringMatching(/^"\d+"$/)]);
          const save = (title: string) =>
            fetch(url + path, {
              ...{ method: 'PATCH', headers: { ...headers, 'if-match': etag } },
              body: JSON.stringify({ title }),
            });
          expect((await save(`Read with ${coding}`)).status).toBe(200);
          expect((await save('Too late')).status).toBe(412);
        },
      );

      // REQ-21
      it.each(['gzip', 'identity'])(
        `public responses through ${name} have strong ETags with %s`,
        async (coding) => {
          for (const path of [`/v1/podcasts/${show.slug}`, `/feeds/${show.slug}.xml`, audio]) {
            const sent = { 'accept-encoding': coding };
            const etag = (await get(path, sent)).headers.get('etag') ?? '';
            expect(etag, path).toMatch(/^"/);
            const again = await get(path, { ...sent, 'if-none-match': etag });
            expect([path, again.status]).toEqual([path, 304]);
          }
        },
      );

      it(`a range of audio through ${name} is sent if If-Range has its ETag`, async () => {
        const sent = { 'accept-encoding': 'gzip', range: 'bytes=1000-1999' };
        const etag = (await get(audio, { 'accept-encoding': 'gzip' })).headers.get('etag') ?? '';
        const same = await get(audio, { ...sent, 'if-range': etag });
        expect([same.status, (await same.arrayBuffer()).byteLength]).toEqual([206, 1_000]);
        expect(same.headers.get('content-range')).toMatch(/^bytes 1000-1999\//);
        expect((await get(audio, { ...sent, 'if-range': '"other"' })).status).toBe(200);
      });
    },
  );
}

describe.skipIf(!hasNginx)('addresses of the documented nginx (needs nginx)', () => {
  it('the documented nginx has IPv6, and redirects http to https with path and query', async () => {
    await using opened = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'podstead-proxy-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const nginx = opened.use(await startNginx(folder, await freePort(), folder));
    const response = await fetch(`${nginx.redirectUrl}/listen/show?page=2`, { redirect: 'manual' });
    // Node's fetch sends no other Host than that of the URL.
    expect([response.status, response.headers.get('location')]).toEqual([
      301,
      'https://127.0.0.1/listen/show?page=2',
    ]);
    const challenge = `${nginx.redirectUrl}/.well-known/acme-challenge/none`;
    expect((await fetch(challenge, { redirect: 'manual' })).status).toBe(404);
    // Nothing is behind this nginx.
    if (nginx.ipv6Url !== undefined) expect((await fetch(nginx.ipv6Url)).status).toBe(502);
  });
});
