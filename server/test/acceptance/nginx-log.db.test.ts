import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { get, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { followLog } from '../../src/domain/audience/downloads/index.ts';
import { createPreviewLink } from '../../src/domain/public/previews/index.ts';
import { attachTone, findAudio } from '../../src/domain/publishing/audio/index.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { type RunningHttp, startHttp } from '../../src/start-http.ts';
import { createTestContext, type TestContext } from '../create-test-context.ts';
import { freePort } from '../free-port.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { patience } from '../patience.ts';
import { hasNginx, type Nginx, startNginx } from '../start-nginx.ts';

const isOfPreview = (line: { readonly http_user_agent: string }) =>
  line.http_user_agent === 'preview/1';

describe.skipIf(!hasNginx)('the documented nginx (needs nginx)', () => {
  let opened: AsyncDisposableStack;
  let test: TestContext;
  let nginx: Nginx;
  let episodeId: string;
  let path: string;
  let sizeBytes: number;

  beforeAll(async () => {
    opened = new AsyncDisposableStack();
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'podstead-nginx-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const settings = { PORT: String(port), X_ACCEL_REDIRECT: '/stored/', TRUST_PROXY: '1' };
    const accessLog = { ACCESS_LOG: join(folder, 'access.log') };
    test = opened.use(
      await createTestContext({ ...settings, ...accessLog }, { clock: systemClock }),
    );
    opened.use<RunningHttp>(await startHttp(test));
    nginx = opened.use(await startNginx(folder, port, test.config.dataDir));
    opened.use(followLog(test.ctx, test.geo, nginx.accessLog, { everyMs: 50 }));
    const podcast = await makePodcast(test.ctx, { aiTraining: 'deny' });
    const { id } = await makeEpisode(test.ctx, podcast, { slug: 'one' });
    // 32 kbit/s: a minute is 240 kB.
    await attachTone(test.ctx, id, 600);
    episodeId = id;
    path = `/media/${id}/f/one.mp3`;
    sizeBytes = (await findAudio(test.ctx, id))?.sizeBytes ?? 0;
  });
  afterAll(() => opened.disposeAsync());

  /** Sends a request as one listener, and reads the whole response. */
  async function ask(
    listener: string,
    headers: Readonly<Record<string, string>> = {},
    { url = path, method = 'GET' } = {},
  ): Promise<IncomingMessage> {
    const asked = request(nginx.url + url, {
      method,
      headers: { 'user-agent': `${listener}/1`, ...headers },
      agent: false,
    }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response;
  }

  const evidence = async () => {
    const { rows } = await test.database.pool.query(
      `select coalesce(user_agent, '') as listener, source, referrer, rejected,
          byte_count(audio)::int as bytes from download_requests
        where episode_id = $1 order by user_agent, bytes`,
      [episodeId],
    );
    return rows;
  };
  const ofListener = async (listener: string) =>
    (await evidence()).filter((row) => row.listener === `${listener}/1`);
  const isLogged = (listener: string, expected: readonly object[]) =>
    vi.waitFor(async () => expect(await ofListener(listener)).toMatchObject(expected), patience);
  /** A request was rejected for this reason. */
  const isSummed = (reason: string) =>
    vi.waitFor(async () => {
      const { rows } = await test.database.pool.query(
        'select requests from download_request_sums where episode_id = $1 and rejected = $2',
        [episodeId, reason],
      );
      expect(rows).toEqual([{ requests: 1 }]);
    }, patience);
  const isCounted = async (listener: string) => {
    const { rows } = await test.database.pool.query(
      `select bool_or(l.counted) as counted from download_listeners l
        join download_requests r using (day, episode_id, listener) where r.user_agent = $1`,
      [`${listener}/1`],
    );
    return rows[0].counted;
  };

  it('records the bytes sent: whole files, ranges, several ranges', async () => {
    expect((await ask('whole')).statusCode).toBe(200);
    await isLogged('whole', [{ bytes: sizeBytes, rejected: null, source: 'feed' }]);
    expect(await isCounted('whole')).toBe(true);

    expect((await ask('half', { range: 'bytes=1000-120999' })).statusCode).toBe(206);
    await isLogged('half', [{ bytes: 120_000, rejected: null }]);
    expect(await isCounted('half')).toBe(false);
    await ask('half', { range: 'bytes=121000-241000' });
    await isLogged('half', [{ bytes: 120_000 }, { bytes: 120_001 }]);
    expect(await isCounted('half')).toBe(true);

    await ask('several', { range: 'bytes=0-149999,300000-399999' });
    await vi.waitFor(async () => expect(await ofListener('several')).toHaveLength(1), patience);
    const [{ bytes }] = await ofListener('several');
    // The headers of the parts have an unknown length.
    expect(bytes).toBeGreaterThan(249_500);
    expect(bytes).toBeLessThanOrEqual(250_000);

    const changed = await ask('changed', { range: 'bytes=0-9', 'if-range': '"other"' });
    expect(changed.statusCode).toBe(200);
    await isLogged('changed', [{ bytes: sizeBytes }]);
  });

  it('the documented nginx passes on the pieces of a large upload', async () => {
    const sent = request(`${nginx.url}/app/api/uploads/none`, { method: 'PATCH', agent: false });
    // The response may come before the whole piece is sent.
    sent.on('error', () => undefined).end(Buffer.alloc(3_000_000));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.headers['content-type']).toMatch('application/json');
    expect(response.statusCode).not.toBe(413);
  });

  it('records requests that never count', async () => {
    const { etag = '' } = (await ask('nobody', {}, { method: 'HEAD' })).headers;
    await isSummed('head');
    expect((await ask('cached', { 'if-none-match': etag })).statusCode).toBe(304);
    await isSummed('not_modified');
    await ask('probe', { range: 'bytes=0-1' });
    await isSummed('probe');
    await ask('browser', { 'sec-purpose': 'prefetch;prerender' });
    await isSummed('prefetch');
    expect((await ask('lost', {}, { url: path.replace('one.mp3', 'two.mp3') })).statusCode).toBe(
      404,
    );
    await isSummed('error');
  });

  it('records the page of a player without its query', async () => {
    await ask('player', {}, { url: `${path.replace('/f/', '/p/')}?r=blog.example` });
    await isLogged('player', [{ source: 'player', referrer: 'blog.example', bytes: sizeBytes }]);
    const referer = 'https://a.example/page?token=secret';
    await ask('linked', { referer }, { url: path.replace('/f/', '/') });
    await isLogged('linked', [{ source: 'direct', referrer: 'a.example' }]);
  });

  // PAGE-18
  it('the documented nginx sends what a show says to those who train AI models', async () => {
    const { statusCode, headers } = await ask('training', { range: 'bytes=0-1' });
    expect([statusCode, headers['x-robots-tag']]).toEqual([206, 'noai, noimageai']);
    expect(headers['tdm-reservation']).toBe('1');
  });

  // REQ-21, BACKUP-11: nginx's own ETag is the time of the file, which is another after a restore.
  it('the documented nginx sends the ETag of Podstead, which depends on the bytes alone', async () => {
    const range = { range: 'bytes=0-1' };
    const { headers } = await ask('etag', range);
    const { etag = '', 'last-modified': modified = '' } = headers;
    const response = await fetch(`http://127.0.0.1:${test.config.http.port}${path}`);
    expect([etag, modified]).toEqual(
      ['etag', 'last-modified'].map((name) => response.headers.get(name)),
    );
    const statusWith = async (sent: Record<string, string>) => (await ask('etag', sent)).statusCode;
    expect(await statusWith({ 'if-none-match': etag })).toBe(304);
    expect(await statusWith({ 'if-none-match': '"other"' })).toBe(200);
    expect(await statusWith({ 'if-modified-since': modified })).toBe(304);
    expect(await statusWith({ ...range, 'if-range': etag })).toBe(206);
    expect(await statusWith({ ...range, 'if-range': '"other"' })).toBe(200);
  });

  it('the documented nginx keeps tokens out of the log, and does not count previews', async () => {
    const { url } = await createPreviewLink(test.ctx, episodeId);
    const preview = new URL(url).pathname;
    const played = await ask('preview', {}, { url: `${preview}/audio?t=secret` });
    expect([played.statusCode, played.headers['content-length']]).toEqual([200, `${sizeBytes}`]);
    await ask('preview', {}, { url: preview });
    await ask('preview', {}, { url: '/app/reset-password?token=secret' });
    // Lines are counted in their order.
    await ask('later');
    await isLogged('later', [{ bytes: sizeBytes }]);
    expect(await ofListener('preview')).toEqual([]);
    const lines = (await readFile(nginx.accessLog, 'utf8')).trim().split('\n');
    const paths = lines
      .map((line) => JSON.parse(line))
      .filter(isOfPreview)
      .map(({ uri }) => uri);
    expect(paths).toEqual(['/preview/-/audio', '/preview/-', '/app/reset-password']);
    expect(lines.join()).not.toContain(preview.split('/').at(-1));
  });

  it('records the bytes sent of an aborted download', async () => {
    const headers = { 'user-agent': 'aborted/1', 'x-test-rate': '20k' };
    const asked = get(nginx.url + path, { headers, agent: false });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    await once(response, 'data');
    response.destroy();
    await vi.waitFor(async () => expect(await ofListener('aborted')).toHaveLength(1), patience);
    const [{ bytes }] = await ofListener('aborted');
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(240_000);
    expect(await isCounted('aborted')).toBe(false);
  });

  it('the documented nginx (needs nginx) is counted completely and once when it is rotated', async () => {
    await ask('before');
    await rename(nginx.accessLog, `${nginx.accessLog}.1`);
    await ask('between');
    nginx.child.kill('SIGUSR1');
    await vi.waitUntil(() => stat(nginx.accessLog).catch(() => undefined), patience);
    await ask('after');
    for (const listener of ['before', 'between', 'after']) {
      await isLogged(listener, [{ bytes: sizeBytes, rejected: null }]);
      expect(await isCounted(listener)).toBe(true);
    }
  });
});

describe.skipIf(!hasNginx)('the documented nginx while Podstead is down (needs nginx)', () => {
  it('the documented nginx keeps tokens out of all its logs while Podstead is down', async () => {
    await using opened = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'podstead-nginx-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const nginx = opened.use(await startNginx(folder, await freePort(), folder));
    for (const path of ['/app/reset-password?token=secret', '/preview/secret/audio', '/app']) {
      const headers = { referer: `${nginx.url}/app/invitation?token=secret` };
      expect((await fetch(nginx.url + path, { headers })).status).toBe(502);
    }
    const [errors, requests] = await Promise.all([
      readFile(nginx.errorLog, 'utf8'),
      vi.waitUntil(async () => await readFile(nginx.accessLog, 'utf8'), patience),
    ]);
    expect(requests).toContain('/app/reset-password');
    expect(errors + requests).not.toContain('secret');
  });
});
