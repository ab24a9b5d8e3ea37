import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/create-test-app.ts';
import {
  describeScript,
  describeWords,
  keepPlayer,
  listenScript,
  playerScript,
  playerWords,
  visitScript,
} from './player-script.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ EMBED_URL: 'http://play.local' });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.request({ method: 'GET', url, headers });
const immutable = 'public, max-age=31536000, immutable';

describe('GET /player/v1.js', () => {
  // PAGE-1, PAGE-2, REQ-26
  it('GET /player/v1.js is the component, with a short cache lifetime', async () => {
    const response = await get('/player/v1.js');
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(response.body).toContain('podstead-player');
    const known = { 'if-none-match': String(response.headers['etag']) };
    expect((await get('/player/v1.js', known)).statusCode).toBe(304);
  });

  it('GET /player/v1.js is at most 20 KB compressed', async () => {
    for (const coding of ['br', 'gzip']) {
      const response = await get('/player/v1.js', { 'accept-encoding': coding });
      expect(response.headers['content-encoding']).toBe(coding);
      expect(response.rawPayload.length).toBeLessThanOrEqual(20 * 1024);
    }
  });

  // LIM-3
  it('GET /player/v1.js does not count against the public limit', async () => {
    await using limited = await createTestApp({}, { limits: { public: { consume: () => false } } });
    const status = async (url: string) =>
      (await limited.request({ method: 'GET', url })).statusCode;
    expect(await status('/player/v1.js')).toBe(200);
    expect(await status('/player/v1.json')).toBe(200);
  });
});

describe('a version of the component', () => {
  it('a version of the component is published with the hash of its bytes', async () => {
    const response = await get('/player/v1.json');
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    });
    const { version, url, immutable_url, integrity } = response.json();
    expect([version, url]).toEqual([1, 'http://play.local/player/v1.js']);
    const script = await get(new URL(immutable_url).pathname);
    expect(script.headers['cache-control']).toBe(immutable);
    const digest = createHash('sha384').update(script.rawPayload).digest('base64');
    expect(integrity).toBe(`sha384-${digest}`);
    expect(script.rawPayload).toEqual((await get('/player/v1.js')).rawPayload);
  });

  it('a version of the component stays available after an update', async () => {
    const words = describeWords('de', '{"play":"Spiel"}');
    const earlier = describeScript('customElements.define("podstead-player", class {});');
    expect((await get(`/player/${earlier.fileName}`)).statusCode).toBe(404);
    await keepPlayer(app.ctx.blobs, [earlier, words]);
    await keepPlayer(app.ctx.blobs, [earlier, words]);
    const response = await get(`/player/${earlier.fileName}`);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(earlier.text);
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': immutable,
      'access-control-allow-origin': '*',
    });
    const said = await get(`/player/${words.fileName}`);
    expect([said.body, said.headers['content-type']]).toEqual([
      words.text,
      'application/json; charset=utf-8',
    ]);
  });

  it('a version of the component has its translations, under their hashes', async () => {
    for (const { fileName, text } of playerWords) {
      const response = await get(`/player/${fileName}`);
      expect(response.headers['cache-control'], fileName).toBe(immutable);
      expect(response.body).toBe(text);
      const [, locale = '', hash = ''] = fileName.split('.');
      expect(createHash('sha256').update(response.rawPayload).digest('hex')).toBe(hash);
      const written = Buffer.from(hash, 'hex').toString('base64');
      if (locale !== 'en') expect(playerScript.text).toContain(written);
    }
  });

  // PAGE-19
  it.each([
    ['visit', visitScript],
    ['listen', listenScript],
  ] as const)(
    'the module %s has an immutable URL, and is stored for pages of other releases',
    async (name, script) => {
      const response = await get(`/player/${script.fileName}`);
      expect(response.headers['cache-control']).toBe(immutable);
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.body).toBe(script.text);
      const earlier = describeScript('// An earlier one', name);
      await keepPlayer(app.ctx.blobs, [earlier]);
      expect((await get(`/player/${earlier.fileName}`)).body).toBe(earlier.text);
    },
  );

  it('a version of the component that does not exist is not found', async () => {
    for (const file of [
      'v2.js',
      'v1.js.map',
      'v1.0123456789abcdef.js',
      'v1.xyz.js',
      'visit.js',
      'visit.0123456789abcdef.js',
      'v1.de.0123456789abcdef.json',
      `v1.de.${'0'.repeat(64)}.json`,
      `v1.xx.${playerWords[0]?.fileName.split('.')[2]}.json`,
      '..%2fv1.js',
    ]) {
      const response = await get(`/player/${file}`);
      expect(response.statusCode, file).toBe(404);
      expect(response.headers['cache-control'], file).toBe('no-store');
    }
    expect((await get(`/player/${playerScript.fileName}`)).statusCode).toBe(200);
  });
});
