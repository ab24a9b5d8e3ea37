import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryLimiter } from '../../src/platform/rate-limiter/create-memory-limiter.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';

/** Rules of HTTP for all routes. */
let app: TestApp;
const url = '/v1/podcasts/rules';

beforeAll(async () => {
  app = await createTestApp();
  const podcast = await makePodcast(app.ctx, { slug: 'rules', description: 'long '.repeat(200) });
  await makeEpisode(app.ctx, podcast);
});
afterAll(() => app[Symbol.asyncDispose]());

const send = (method: 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS', path: string, headers = {}) =>
  app.request({ method, url: path, headers });

describe('conditional and encoded responses', () => {
  // REQ-21, REQ-22, REQ-23, REQ-26
  it('conditional and encoded responses have a strong ETag for each coding, and accept any of them', async () => {
    const plain = await send('GET', url);
    const gzip = await send('GET', url, { 'accept-encoding': 'gzip' });
    const br = await send('GET', url, { 'accept-encoding': 'gzip, br' });
    const etag = String(plain.headers['etag']).slice(1, -1);
    expect(gzip.headers['etag']).toBe(`"${etag}-gzip"`);
    expect(br.headers['etag']).toBe(`"${etag}-br"`);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    for (const response of [plain, gzip, br]) {
      expect(response.headers).toMatchObject({
        'cache-control': 'public, max-age=60',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id, Content-Range',
      });
    }
    for (const known of [`"${etag}"`, `W/"${etag}-br"`, `"x", "${etag}-gzip"`, '*']) {
      const again = await send('GET', url, { 'if-none-match': known });
      expect(again.statusCode, known).toBe(304);
      expect(again.body).toBe('');
      expect(again.headers).toMatchObject({ etag: `"${etag}"`, vary: 'Accept-Encoding' });
    }
    expect((await send('GET', url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
    expect((await send('GET', url, { 'if-match': '"other"' })).statusCode).toBe(412);
  });

  // REQ-9
  it('conditional and encoded responses to HEAD are like those to GET without the body, cached or not', async () => {
    for (const path of [url, `${url}/episodes?season=1`, '/v1/openapi.json', '/healthz']) {
      const get = await send('GET', path);
      const head = await send('HEAD', path);
      expect(head.statusCode, path).toBe(get.statusCode);
      expect(head.headers['content-length'], path).toBe(get.headers['content-length']);
      expect(head.headers['etag'], path).toBe(get.headers['etag']);
      expect(head.body).toBe('');
    }
  });

  it('conditional and encoded responses have an id each', async () => {
    const ids = await Promise.all([url, url, '/v1/x', '/'].map((path) => send('GET', path)));
    expect(new Set(ids.map((response) => response.headers['x-request-id'])).size).toBe(4);
  });
});

describe('methods', () => {
  // ERR-7, REQ-10, REQ-11
  it('methods that do not exist are refused with 405 and the list of others', async () => {
    for (const path of [url, '/v1/oembed', '/v1/openapi.json']) {
      const response = await send('POST', path);
      expect(response.statusCode).toBe(405);
      expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
      expect(response.json().error.code).toBe('invalid_request');
    }
    expect((await send('DELETE', '/v1/unknown')).statusCode).toBe(404);
  });

  // REQ-26
  it('methods include preflights of public addresses', async () => {
    const response = await send('OPTIONS', url, {
      origin: 'https://example.com',
      'access-control-request-method': 'GET',
    });
    expect(response.statusCode).toBe(204);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-allow-headers']).toBe(
      'Authorization, If-None-Match, Range',
    );
  });
});

describe('keys and credentials', () => {
  // AUTH-1
  it('ignores an Authorization header', async () => {
    expect((await send('GET', url, { authorization: 'Bearer nonsense' })).statusCode).toBe(200);
  });

  // REQ-12, REQ-13, REQ-14
  it.each([
    `${url}?x=svc_live_abc`,
    `${url}?x=svc%5Flive_abc`,
    '/?a=svc_live_',
    '/v1/me?key=1',
    '/v1/me/podcasts?Access_Token=1',
    '/v1/sites/exchange?APIKEY=x',
  ])('refuses a key in the address: %s', async (path) => {
    const response = await send('GET', path);
    expect(response.statusCode).toBe(400);
    expect(response.body).not.toContain('svc_live');
  });
});

describe('another spelling of an address', () => {
  it('another spelling of an address is the same address for the limit, CORS and the key check', async () => {
    await using limited = await createTestApp(
      {},
      { limits: { public: createMemoryLimiter({ limit: 2 }) } },
    );
    await makePodcast(limited.ctx, { slug: 'rules' });
    const ask = (path: string) => limited.request({ method: 'GET', url: path });
    for (const path of ['/%761/podcasts/rules', '/v1/podcasts/%72ules']) {
      const response = await ask(path);
      expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([
        200,
        '*',
      ]);
    }
    expect((await ask('/%761/podcasts/rules')).statusCode).toBe(429);
    expect((await ask('/%761/me?key=1')).statusCode).toBe(400);
  });
});

describe('hostile requests', () => {
  it.each([
    ['//', 404],
    ['/%ff', 400],
    ['/v1/podcasts/%ff', 400],
    ['/v1/podcasts/%00', 400],
    ['/v1//podcasts/rules', 404],
    ['/v1/podcasts/rules/', 404],
    [`/v1/podcasts/${'a'.repeat(3000)}`, 400],
    ['/v1/podcasts/..%2f..%2fetc', 400],
    [`${url}/episodes?limit=%ff`, 400],
    ['/v1/oembed?url=//', 404],
    ['/v1/oembed?url=http://%ff/', 404],
    ['/media/x/y/z', 404],
    ['/feeds/%ff.xml', 400],
    ['/feeds/a.xml/b', 404],
  ])('%s is %i', async (path, status) => {
    expect((await send('GET', path)).statusCode).toBe(status);
  });

  it('invalid HTTP gets the error body, and the server continues', async () => {
    const address = await app.http.server.listen({ port: 0, host: '127.0.0.1' });
    const raw = (text: string) =>
      new Promise<string>((resolve, reject) => {
        let response = '';
        const socket = connect(Number(new URL(address).port), '127.0.0.1');
        socket.on('data', (chunk) => {
          response += chunk;
        });
        socket.on('close', () => resolve(response));
        socket.on('error', reject);
        socket.write(text);
      });
    const close = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const big = `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(100_000)}\r\n\r\n`;
    expect(await raw(big)).toMatch(/^HTTP\/1\.1 431 /);
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 (?:.|\r|\n)*invalid_request/);
    // What comes after it must not reach anybody.
    const tunnel = await raw('CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1');
    expect(tunnel).toMatch(/^HTTP\/1\.1 405 (?:.|\r|\n)*Allow: GET(?:.|\r|\n)*not a proxy/);
    // The response before it stays whole.
    for (const end of ['nonsense\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n']) {
      const responses = await raw(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n${end}`);
      expect(responses).toMatch(/^HTTP\/1\.1 200 (?:.|\r|\n)*\}HTTP\/1\.1 40[05] /);
    }
    const absolute =
      'GET http://other.example/v1/nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await raw(absolute)).toMatch(/^HTTP\/1\.1 404 (?:.|\r|\n)*not_found/);
    // The second is known to the fast path by then.
    expect((await send('GET', url)).statusCode).toBe(200);
    for (const path of ['/healthz', url]) {
      const asked = (version: string, ...hosts: string[]) =>
        raw(`GET ${path} HTTP/${version}\r\n${hosts.join('')}Connection: close\r\n\r\n`);
      const refused = /^HTTP\/1\.1 400 (?:.|\r|\n)*Host header/;
      expect(await asked('1.1')).toMatch(refused);
      expect(await asked('1.1', 'Host: a\r\n', 'host: a\r\n')).toMatch(refused);
      expect(await asked('1.0', 'Host: a\r\n', 'Host: b\r\n')).toMatch(refused);
      expect(await asked('1.1', 'Host: a\r\n')).toMatch(/^HTTP\/1\.1 200 /);
      expect(await asked('1.0')).toMatch(/^HTTP\/1\.1 200 /);
      expect(await asked('1.1', 'Host:\r\n')).toMatch(refused);
      expect(await asked('1.1', 'Host: a b\r\n')).toMatch(refused);
      expect(await asked('1.1', 'Host: u@h\r\n')).toMatch(refused);
      expect(await asked('1.0', 'Host: u@h\r\n')).toMatch(refused);
    }
    // RFC 9112 §6.1: a proxy may see the end of the body, and so the next request, elsewhere.
    const chunked = ['Connection: keep-alive', 'Transfer-Encoding: chunked', '', '0', '', ''];
    for (const path of ['/healthz', url]) {
      for (const host of ['Host: x', 'Host: u@h']) {
        const faulty = ['POST', 'GET'].map((method) =>
          raw([`${method} ${path} HTTP/1.0`, host, ...chunked, close].join('\r\n')),
        );
        for (const response of await Promise.all(faulty)) {
          expect(response).toMatch(/^HTTP\/1\.1 400 (?:.|\r|\n)*Transfer-Encoding/);
          expect(response.match(/HTTP\/1\.1 /g)).toHaveLength(1);
        }
      }
    }
    const trace = 'PROPFIND /v1/oembed HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await raw(trace)).toMatch(/^HTTP\/1\.1 405 (?:.|\r|\n)*Allow: GET, HEAD, OPTIONS/i);
    expect(await raw(close)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('TLS', () => {
  it('TLS is enforced by HSTS if the base URL has it', async () => {
    await using secure = await createTestApp({ BASE_URL: 'https://cast.example' });
    const podcast = await makePodcast(secure.ctx);
    const path = `/v1/podcasts/${podcast.slug}`;
    // Twice: the second response is that of the fast path.
    for (const asked of [path, path, '/nope', '/v1/podcasts/%ff', '/app/sign-in']) {
      const { headers } = await secure.request({ method: 'GET', url: asked });
      expect(headers['strict-transport-security'], asked).toBe('max-age=31536000');
    }
    const plain = await send('GET', url);
    expect(plain.headers['strict-transport-security']).toBeUndefined();
  });
});

describe('the public limit', () => {
  // ERR-14, LIM-1, LIM-3, LIM-4
  it('the public limit counts only the API and players, together, with cached responses', async () => {
    await using limited = await createTestApp(
      { TRUST_PROXY: '1' },
      { limits: { public: createMemoryLimiter({ limit: 3 }) } },
    );
    await makePodcast(limited.ctx, { slug: 'rules' });
    const from = (address: string, path: string, method: 'GET' | 'OPTIONS' = 'GET') =>
      limited.request({ method, url: path, headers: { 'x-forwarded-for': address } });
    await from('198.51.100.1', url);
    await from('198.51.100.1', url);
    await from('198.51.100.1', '/latest/rules');
    const refused = await from('198.51.100.1', url);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.json().error.code).toBe('rate_limited');
    expect((await from('198.51.100.1', '/v1/none')).statusCode).toBe(429);
    expect((await from('198.51.100.1', '/v1/none?key=svc_live_x')).statusCode).toBe(400);
    const page = await from('198.51.100.1', '/latest/rules');
    expect(page.statusCode).toBe(429);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    });
    expect(page.body).toContain(page.headers['x-request-id']);
    for (const path of ['/healthz', '/feeds/rules.xml', '/listen/rules', '/v1/me']) {
      expect((await from('198.51.100.1', path)).statusCode, path).not.toBe(429);
    }
    expect((await from('198.51.100.1', url, 'OPTIONS')).statusCode).toBe(204);
    expect((await from('198.51.100.2', url)).statusCode).toBe(200);
    limited.clock.advance(60_000);
    expect((await from('198.51.100.1', url)).statusCode).toBe(200);
  });

  // LIM-2
  it('the public limit counts an IPv6 network of 64 bits as one client', async () => {
    await using limited = await createTestApp(
      { TRUST_PROXY: '1' },
      { limits: { public: createMemoryLimiter({ limit: 1 }) } },
    );
    const from = (address: string) =>
      limited.request({ method: 'GET', url, headers: { 'x-forwarded-for': address } });
    await from('2001:db8:1:2::1');
    expect((await from('2001:db8:1:2:ffff::9')).statusCode).toBe(429);
    expect((await from('2001:db8:1:3::1')).statusCode).toBe(404);
  });
});
