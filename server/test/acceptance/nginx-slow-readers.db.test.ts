import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { User } from '../../src/domain/foundation/accounts/index.ts';
import { attachAudioFile } from '../../src/domain/publishing/audio/index.ts';
import type { Podcast } from '../../src/domain/publishing/podcasts/index.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { type RunningHttp, startHttp } from '../../src/start-http.ts';
import { createTestContext, type TestContext } from '../create-test-context.ts';
import { freePort } from '../free-port.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../make.ts';
import { wav } from '../make-audio-bytes.ts';
import { patience } from '../patience.ts';
import { hasNginx, type Nginx, startNginx } from '../start-nginx.ts';

/** A minute is more than the four buffers of two local connections take, which is up to 42 MB. */
const bytesPerSecond = 900_000;
const sizeBytes = 66 * bytesPerSecond;

describe.skipIf(!hasNginx)('clients that do not read (needs nginx)', () => {
  let opened: AsyncDisposableStack;
  let test: TestContext;
  let owner: User;
  let show: Podcast;
  let path: string;
  let nginx: Nginx;
  /** An nginx with nothing but `proxy_pass`, which buffers by default. */
  let careless: string;

  beforeAll(async () => {
    opened = new AsyncDisposableStack();
    const port = await freePort();
    const carelessPort = await freePort();
    careless = `http://127.0.0.1:${carelessPort}`;
    const folder = await mkdtemp(join(tmpdir(), 'podstead-nginx-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const settings = { PORT: String(port), TRUST_PROXY: '1' };
    test = opened.use(await createTestContext(settings, { clock: systemClock }));
    opened.use<RunningHttp>(await startHttp(test));
    const server = `listen 127.0.0.1:${carelessPort}; location / { proxy_pass http://podstead; }`;
    nginx = opened.use(
      await startNginx(folder, port, test.config.dataDir, {
        otherServers: `server { ${server} }`,
        sender: 'podstead',
      }),
    );
    owner = await makeUser(test.ctx);
    show = await makePodcast(test.ctx, { owner });
    const { id } = await makeEpisode(test.ctx, show, { slug: 'one' });
    const file = join(test.ctx.blobs.scratchDir, 'one.wav');
    await writeFile(file, wav(sizeBytes - 44, { rate: bytesPerSecond / 2 }));
    await attachAudioFile(test.ctx, id, { path: file });
    path = `/media/${id}/f/one.wav`;
  });
  afterAll(() => opened.disposeAsync());

  /** Requests a path, reads the first bytes of the response, and no more. */
  async function begin(url: string, name: string, cookie = ''): Promise<Socket> {
    const { hostname, port, pathname, search } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    const headers = `Host: x\r\nUser-Agent: ${name}/1\r\nCookie: ${cookie}\r\n`;
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${headers}\r\n`);
    const [head] = await once(socket, 'data');
    socket.pause();
    expect(String(head)).toMatch('HTTP/1.1 200');
    return socket;
  }

  /** A reader of everything: takes nginx as long as what it could have taken for the others. */
  async function readAll(url: string): Promise<void> {
    const request = get(url + path, { headers: { 'user-agent': 'complete/1' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let receivedBytes = 0;
    for await (const part of response as AsyncIterable<Buffer>) receivedBytes += part.length;
    expect(receivedBytes).toBe(sizeBytes);
  }

  const counted = async (name: string) => {
    const { rows } = await test.database.pool.query(
      `select bool_or(l.counted) as counted, max(byte_count(r.audio))::int as bytes
        from download_listeners l
        join download_requests r using (day, episode_id, listener) where r.user_agent = $1`,
      [`${name}/1`],
    );
    return rows[0];
  };

  it.each([
    ['example', () => nginx.url],
    ['careless', () => careless],
  ])(
    'clients that do not read cost no disk, and are not counted if they leave: %s',
    async (kind, url) => {
      // Fast responses leave large buffers to connections that are used again.
      for (let n = 0; n < 3; n += 1) await readAll(url());
      const clients = await Promise.all([1, 2, 3].map(() => begin(url() + path, kind)));
      await readAll(url());
      await readAll(url());
      expect(await nginx.bufferedBytes()).toBe(0);
      for (const client of clients) client.destroy();
      await vi.waitFor(async () => {
        expect(await counted(kind)).toMatchObject({ counted: false });
        expect(await counted('complete')).toMatchObject({ counted: true });
      }, patience);
    },
  );

  it.each([
    ['example', () => nginx.url],
    ['careless', () => careless],
  ])('clients that do not read cost no disk with exports: %s', async (_, url) => {
    const origin = 'http://test.local';
    const signedIn = await fetch(`${url()}/app/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email: owner.email, password: testPassword }).toString(),
    });
    const [cookie] = (signedIn.headers.get('set-cookie') ?? '').split(';', 1);
    const archive = `${url()}/app/api/podcasts/${show.id}/export?audio=true`;
    const clients = await Promise.all([1, 2].map(() => begin(archive, 'export', cookie)));
    await readAll(url());
    await readAll(url());
    expect(await nginx.bufferedBytes()).toBe(0);
    for (const client of clients) client.destroy();
  });
});
