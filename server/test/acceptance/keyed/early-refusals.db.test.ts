import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { revokeKey } from '../../../src/domain/access/keys/index.ts';
import { makeApiKey } from '../../../src/lib/api-key.ts';
import { createMemoryQuotas } from '../../../src/platform/rate-limiter/create-memory-quotas.ts';
import { askWithKey, countStatements } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeKey, makeUser } from '../../make.ts';

/** Refusals that the server gives before the framework are those of the framework. */
let app: TestApp;
const perMinute = 2;

beforeAll(async () => {
  const memory = createMemoryQuotas();
  const quotas = {
    consume: (key: string, _limit: number, nowMs: number) => memory.consume(key, perMinute, nowMs),
  };
  app = await createTestApp({ TRUST_PROXY: '1' }, { limits: { quotas } });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => app.clock.advance(60_000));

describe('a key whose user has no requests left', () => {
  async function spend() {
    const { key, secret } = await makeKey(app.ctx, await makeUser(app.ctx, 'creator'));
    const ask = (url = '/v1/me') => askWithKey(app, secret, url);
    for (let n = 0; n < perMinute; n += 1) expect((await ask()).statusCode).toBe(200);
    return { key, secret, ask, first: await ask() };
  }
  const comparable = (response: Awaited<ReturnType<typeof askWithKey>>) => {
    const { 'x-request-id': _, date: __, ...headers } = response.headers;
    return {
      status: response.statusCode,
      headers,
      error: { ...response.json().error, request_id: '' },
    };
  };

  it('a key whose user has no requests left gets the same refusal again without a look-up', async () => {
    const { ask, first } = await spend();
    expect(first.statusCode).toBe(429);
    expect(first.headers['ratelimit']).toBe('account;r=0;t=60');
    const statements = await countStatements(app, async () => {
      expect(comparable(await ask())).toEqual(comparable(first));
    });
    expect(statements).toBe(0);
    app.clock.advance(999);
    const later = await ask('/v1/me/podcasts?limit=0');
    expect(later.headers).toMatchObject({ 'retry-after': '60', ratelimit: 'account;r=0;t=60' });
    expect(later.headers['x-request-id']).toBe(later.json().error.request_id);
  });

  it('a key whose user has no requests left is looked up again each second, so that it is not refused for the wrong reason', async () => {
    const { key, ask } = await spend();
    await revokeKey(app.ctx, key.id);
    app.clock.advance(1_000);
    expect((await ask()).statusCode).toBe(401);
  });

  it('a key whose user has no requests left may send requests in the next minute', async () => {
    const { ask } = await spend();
    app.clock.advance(60_000);
    expect((await ask()).statusCode).toBe(200);
  });

  it('a key whose user has no requests left is refused before that for reasons that come first', async () => {
    const { ask, secret } = await spend();
    expect((await ask('/v1/me?key=1')).statusCode).toBe(400);
    expect((await ask('/v1/me/unknown')).statusCode).toBe(404);
    const headers = { authorization: `Bearer ${secret}` };
    expect((await app.request({ method: 'POST', url: '/v1/me', headers })).statusCode).toBe(405);
    expect((await app.request({ method: 'OPTIONS', url: '/v1/me', headers })).statusCode).toBe(204);
    expect((await app.request({ method: 'HEAD', url: '/v1/me', headers })).body).toBe('');
  });
});

it('a client without a valid key is refused for reasons that come first, too', async () => {
  const ask = (url: string, authorization: string, method: 'GET' | 'POST' = 'GET') =>
    app.request({ method, url, headers: { authorization, 'x-forwarded-for': '198.51.100.7' } });
  for (let n = 0; n < 60; n += 1) expect((await ask('/v1/me', '')).statusCode).toBe(401);
  for (const authorization of ['', 'Bearer x', `Bearer ${makeApiKey()}`]) {
    const response = await ask('/v1/me/podcasts', authorization);
    expect(response.statusCode).toBe(429);
    expect(response.json().error.message).toContain('without a valid key');
    expect(response.headers).toMatchObject({ 'retry-after': '60', 'cache-control': 'no-store' });
  }
  expect((await ask('/v1/me?key=1', '')).statusCode).toBe(400);
  expect((await ask('/v1/me/unknown', '')).statusCode).toBe(404);
  expect((await ask('/v1/me', '', 'POST')).statusCode).toBe(405);
  expect((await ask('/v1/podcasts/none', '')).statusCode).toBe(404);
});
