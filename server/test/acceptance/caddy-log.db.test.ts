import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { followLog } from '../../src/domain/audience/downloads/index.ts';
import { attachTone, findAudio } from '../../src/domain/publishing/audio/index.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { type RunningHttp, startHttp } from '../../src/start-http.ts';
import { createTestContext, type TestContext } from '../create-test-context.ts';
import { freePort } from '../free-port.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { patience } from '../patience.ts';
import { type Caddy, hasCaddy, startCaddy } from '../start-caddy.ts';

describe.skipIf(!hasCaddy)('the documented Caddy (needs Caddy)', () => {
  let opened: AsyncDisposableStack;
  let test: TestContext;
  let caddy: Caddy;
  let path: string;
  let sizeBytes: number;

  beforeAll(async () => {
    opened = new AsyncDisposableStack();
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'podstead-caddy-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const settings = { PORT: String(port), TRUST_PROXY: '1', PUBLIC_RATE_LIMIT: '3' };
    const accessLog = { ACCESS_LOG: join(folder, 'caddy.log') };
    test = opened.use(
      await createTestContext({ ...settings, ...accessLog }, { clock: systemClock }),
    );
    opened.use<RunningHttp>(await startHttp(test));
    caddy = opened.use(await startCaddy(folder, port));
    opened.use(followLog(test.ctx, test.geo, caddy.accessLog, { everyMs: 50 }));
    const { id } = await makeEpisode(test.ctx, await makePodcast(test.ctx), { slug: 'one' });
    await attachTone(test.ctx, id, 600);
    path = `/media/${id}/f/one.mp3`;
    sizeBytes = (await findAudio(test.ctx, id))?.sizeBytes ?? 0;
  });
  afterAll(() => opened.disposeAsync());

  /** Sends a request as one listener, and reads the whole response. */
  async function ask(
    listener: string,
    headers: Readonly<Record<string, string>> = {},
    { url = path, method = 'GET', body = Buffer.alloc(0) } = {},
  ): Promise<IncomingMessage> {
    const asked = request(caddy.url + url, {
      method,
      headers: { 'user-agent': `${listener}/1`, ...headers },
      agent: false,
    });
    // The response may come before the whole body is sent.
    asked.on('error', () => undefined).end(body);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response;
  }

  const isLogged = (listener: string, expected: readonly object[]) =>
    vi.waitFor(async () => {
      const { rows } = await test.database.pool.query(
        `select rejected, byte_count(audio)::int as bytes from download_requests
          where user_agent = $1 order by bytes`,
        [`${listener}/1`],
      );
      expect(rows).toMatchObject(expected);
    }, patience);

  // COUNT-19
  it('the documented Caddy logs the bytes sent: whole files, and ranges by their place', async () => {
    expect((await ask('whole')).statusCode).toBe(200);
    await isLogged('whole', [{ bytes: sizeBytes, rejected: null }]);
    expect((await ask('half', { range: 'bytes=1000-120999' })).statusCode).toBe(206);
    await ask('half', { range: 'bytes=61000-180999' });
    await isLogged('half', [{ bytes: 120_000 }, { bytes: 120_000 }]);
    const { rows } = await test.database.pool.query(
      `select l.counted from download_listeners l join download_requests r
        using (day, episode_id, listener) where r.user_agent = 'half/1' limit 1`,
    );
    // 180 kB of different audio are less than a minute.
    expect(rows).toEqual([{ counted: false }]);
  });

  it('the documented Caddy logs nothing but audio, so no tokens of links', async () => {
    await ask('reader', {}, { url: '/app/sign-in?token=secret' });
    await ask('last', { range: 'bytes=0-9' });
    await isLogged('last', [{ bytes: 10 }]);
    const log = await readFile(caddy.accessLog, 'utf8');
    expect(log).toContain('last/1');
    expect(log).not.toContain('reader/1');
  });

  it('the documented Caddy passes on the pieces of a large upload', async () => {
    const body = Buffer.alloc(3_000_000);
    const piece = { url: '/app/api/uploads/none', method: 'PATCH', body };
    const { statusCode, headers } = await ask('uploader', {}, piece);
    expect(headers['content-type']).toMatch('application/json');
    expect(statusCode).not.toBe(413);
  });

  it('the documented Caddy tells the address of its client, and believes no other', async () => {
    const statuses: unknown[] = [];
    for (let time = 0; time < 5; time += 1) {
      const spoofed = { 'x-forwarded-for': `198.51.100.${time}` };
      statuses.push((await ask('api', spoofed, { url: '/v1/podcasts/none' })).statusCode);
    }
    // With addresses that a client could choose, each would have its own limit.
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
  });
});
