import { randomBytes } from 'node:crypto';
import type { InjectOptions } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KeyWithSecret, revokeKey, rollKey } from '../../../src/domain/access/keys/index.ts';
import { setPlan, type User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Episode } from '../../../src/domain/publishing/episodes/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { makeApiKey } from '../../../src/lib/api-key.ts';
import { createMemoryLimiter } from '../../../src/platform/rate-limiter/create-memory-limiter.ts';
import { askWithKey, countStatements } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let ana: User;
let key: KeyWithSecret;
let show: Podcast;
let episode: Episode;

beforeAll(async () => {
  app = await createTestApp({ TRUST_PROXY: '1' });
  ana = await makeUser(app.ctx, 'creator');
  key = await makeKey(app.ctx, ana);
  show = await makePodcast(app.ctx, { owner: ana });
  episode = await makeEpisode(app.ctx, show);
});
afterAll(() => app[Symbol.asyncDispose]());

const unknownId = '0197a3c4-0000-7000-8000-000000000000';
const codeOf = (response: { statusCode: number; json(): unknown }) =>
  `${response.statusCode} ${(response.json() as { error?: { code: string } }).error?.code ?? 'ok'}`;
const ask = async (secret: string, url: string) => codeOf(await askWithKey(app, secret, url));
const send = (headers: Record<string, string>, url = '/v1/me', method = 'GET') =>
  app.request({ method: method as NonNullable<InjectOptions['method']>, url, headers });
/** Advances the clock by a minute, which resets all quotas. */
const nextMinute = () => app.clock.advance(60_000);

describe('a request without a key', () => {
  // AUTH-2, ERR-4, ERR-5, ERR-8
  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic YW5hOng=' }],
    ['nothing behind the scheme', { authorization: 'Bearer' }],
    ['spaces behind the scheme', { authorization: 'Bearer   ' }],
  ])('a request without a key is unauthorized: %s', async (_, headers) => {
    const response = await send(headers as Record<string, string>);
    expect(codeOf(response)).toBe('401 unauthorized');
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.headers['cache-control']).toBe('no-store');
  });
});

describe('an invalid key', () => {
  // ERR-8
  it.each([
    ['too short', () => key.secret.slice(0, -1)],
    ['too long', () => `${key.secret}a`],
    ['mistyped', () => key.secret.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['of another prefix', () => key.secret.replace('live', 'test')],
    ['unknown', () => makeApiKey()],
    ['two words', () => `${key.secret} ${key.secret}`],
  ])('an invalid key is refused: %s', async (_, secret) => {
    expect(await ask(secret(), '/v1/me')).toBe('401 invalid_api_key');
    nextMinute();
  });

  // AUTH-11, KEY-12
  it('an invalid key is refused with the next request after it was revoked, rolled or has expired', async () => {
    const bo = await makeUser(app.ctx);
    const revoked = await makeKey(app.ctx, bo);
    expect(await ask(revoked.secret, '/v1/me')).toBe('200 ok');
    await revokeKey(app.ctx, revoked.key.id);
    expect(await ask(revoked.secret, '/v1/me')).toBe('401 invalid_api_key');
    const rolled = await makeKey(app.ctx, bo, { expiresInDays: 30 });
    const next = await rollKey(app.ctx, { keyId: rolled.key.id, grace: 'none', expiresInDays: 30 });
    expect(await ask(rolled.secret, '/v1/me')).toBe('401 invalid_api_key');
    expect(await ask(next.secret, '/v1/me')).toBe('200 ok');
    await using later = await createTestApp();
    const cy = await makeUser(later.ctx);
    const expiring = await makeKey(later.ctx, cy, { expiresInDays: 30 });
    later.clock.advance(30 * 86_400_000 - 1);
    expect((await askWithKey(later, expiring.secret, '/v1/me')).statusCode).toBe(200);
    later.clock.advance(1);
    expect((await askWithKey(later, expiring.secret, '/v1/me')).statusCode).toBe(401);
  });

  // KEY-3
  it('an invalid key needs no query: a thousand random tokens', async () => {
    const statements = await countStatements(app, async () => {
      for (let at = 0; at < 1_000; at += 1) {
        const text = randomBytes(1 + (at % 60)).toString('base64url');
        const bearer = at % 2 === 0 ? text : `svc_live_${text.replace(/\W/g, 'x')}`;
        const response = await send({ authorization: `Bearer ${bearer}` });
        expect([401, 429]).toContain(response.statusCode);
      }
    });
    expect(statements).toBe(0);
    nextMinute();
  });

  // LIM-9
  it('an invalid key gets 429 after sixty requests a minute for each network; a valid key does not', async () => {
    const from = (address: string, secret: string) =>
      send({ authorization: `Bearer ${secret}`, 'x-forwarded-for': address });
    for (let at = 0; at < 60; at += 1) {
      expect((await from('198.51.100.7', at % 2 ? 'nonsense' : '')).statusCode).toBe(401);
    }
    const refused = await from('198.51.100.7', makeApiKey());
    expect(codeOf(refused)).toBe('429 rate_limited');
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.headers['ratelimit']).toBeUndefined();
    for (let at = 0; at < 3; at += 1) {
      expect((await from('198.51.100.7', key.secret)).statusCode).toBe(200);
    }
    expect((await from('198.51.100.8', 'nonsense')).statusCode).toBe(401);
    nextMinute();
    expect((await from('198.51.100.7', 'nonsense')).statusCode).toBe(401);
  });
});

describe('the order of checks', () => {
  // AUTH-5, ERR-9, ERR-10, ERR-11, REQ-14
  it('the order of checks is that of AUTH-5', async () => {
    const bo = await makeUser(app.ctx, 'creator');
    const theirs = await makePodcast(app.ctx, { owner: bo, teamKeys: false });
    await addMember(app.ctx, { podcastId: theirs.id, userId: ana.id, role: 'cohost' });
    const bad = `/v1/me/podcasts/${theirs.id}/episodes?limit=0`;
    const good = `/v1/me/podcasts/${theirs.id}/episodes`;
    const narrow = await makeKey(app.ctx, ana, { scopes: ['podcasts:read'] });
    const elsewhere = await makeKey(app.ctx, ana, { podcasts: [show.id] });
    const setBo = (planState: 'active' | 'lapsed') =>
      setPlan(app.ctx, { email: bo.email, plan: 'creator', planState });
    await setBo('lapsed');
    // Everything is wrong at first. Each line corrects the reason of the last refusal.
    expect(codeOf(await send({}, `${bad}&key=1`))).toBe('400 invalid_request');
    expect(codeOf(await send({}, bad))).toBe('401 unauthorized');
    expect(await ask('nonsense', bad)).toBe('401 invalid_api_key');
    expect(await ask(narrow.secret, bad)).toBe('403 insufficient_scope');
    expect(await ask(elsewhere.secret, bad)).toBe('400 invalid_request');
    expect(await ask(elsewhere.secret, good)).toBe('404 not_found');
    expect(await ask(key.secret, good)).toBe('403 plan_upgrade_required');
    await setBo('active');
    expect(await ask(key.secret, good)).toBe('403 forbidden');
    nextMinute();
  });

  // REQ-4, REQ-7, REQ-8
  it('names every wrong parameter at once, also the id in the path', async () => {
    const response = await askWithKey(
      app,
      key.secret,
      '/v1/me/podcasts/night-signals/episodes?limit=101&status=gone&cursor=x',
    );
    expect(codeOf(response)).toBe('400 invalid_request');
    const fields = response.json().error.details.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['cursor', 'limit', 'podcast_id', 'status']);
    expect(await ask(key.secret, '/v1/me/episodes/first-light')).toBe('400 invalid_request');
    expect(await ask(key.secret, '/v1/me?limit=x&cursor=y')).toBe('200 ok');
    for (const path of ['podcasts/', 'podcasts//people', 'episodes/', 'episodes//credits']) {
      expect(await ask(key.secret, `/v1/me/${path}`), path).toBe('400 invalid_request');
    }
  });

  // REQ-17, REQ-18
  it('refuses a cursor of another list before it looks for the list', async () => {
    await makeEpisode(app.ctx, show);
    const url = `/v1/me/podcasts/${show.id}/episodes`;
    const page = (await askWithKey(app, key.secret, `${url}?limit=1`)).json();
    const cursor: string = page.pagination.next_cursor;
    expect(await ask(key.secret, `${url}?limit=2&cursor=${cursor}`)).toBe('200 ok');
    const altered = cursor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const wrong of [
      `${url}?cursor=${altered}`,
      `${url}?status=draft&cursor=${cursor}`,
      `/v1/me/podcasts/${unknownId}/episodes?cursor=${cursor}`,
      `/v1/me/podcasts/${show.id}/people?cursor=${cursor}`,
      `/v1/me/podcasts?cursor=${cursor}`,
    ]) {
      expect(await ask(key.secret, wrong), wrong).toBe('400 invalid_request');
    }
    const wrongIn = async (query: string) => {
      const response = (await askWithKey(app, key.secret, `${url}?${query}`)).json();
      return response.error.details.map(({ field }: { field: string }) => field).sort();
    };
    expect(await wrongIn(`limit=0&cursor=${cursor}`)).toEqual(['limit']);
    expect(await wrongIn(`limit=0&cursor=${altered}`)).toEqual(['cursor', 'limit']);
    expect(await wrongIn(`limit=0&status=draft&cursor=${cursor}`)).toEqual(['cursor', 'limit']);
    expect(await wrongIn(`limit=0&cursor=${cursor}&cursor=${cursor}`)).toEqual(['cursor', 'limit']);
    nextMinute();
  });

  // AUTH-7, ERR-13
  it('the order of checks has the same response for another user’s id and an unknown id', async () => {
    const theirs = await makePodcast(app.ctx);
    const there = await makeEpisode(app.ctx, theirs);
    const pairs = [
      [`/v1/me/podcasts/${theirs.id}`, `/v1/me/podcasts/${unknownId}`],
      [`/v1/me/podcasts/${theirs.id}/episodes`, `/v1/me/podcasts/${unknownId}/episodes`],
      [`/v1/me/episodes/${there.id}`, `/v1/me/episodes/${unknownId}`],
      [`/v1/me/episodes/${there.id}/transcript`, `/v1/me/episodes/${unknownId}/transcript`],
    ] as const;
    for (const pair of pairs) {
      const seen = [];
      for (const url of pair) {
        let body: { error: Record<string, unknown> } | undefined;
        const statements = await countStatements(app, async () => {
          const response = await askWithKey(app, key.secret, url);
          body = response.json();
        });
        seen.push({ statements, ...body?.error, request_id: undefined });
      }
      expect(seen[0]).toMatchObject({ statements: 1, code: 'not_found' });
      expect(seen[1]).toEqual(seen[0]);
    }
    nextMinute();
  });
});

describe('quotas', () => {
  // LIM-5, LIM-6, LIM-7
  it('quotas are shared by the keys of a user, and by the users of a plan', async () => {
    const [bo, cy] = [await makeUser(app.ctx, 'creator'), await makeUser(app.ctx)];
    const podcast = await makePodcast(app.ctx, { owner: bo, teamKeys: true });
    await addMember(app.ctx, { podcastId: podcast.id, userId: cy.id, role: 'editor' });
    const keys = [
      await makeKey(app.ctx, bo),
      await makeKey(app.ctx, bo),
      await makeKey(app.ctx, cy),
    ].map(({ secret }) => secret);
    const url = `/v1/me/podcasts/${podcast.id}`;
    const seen = [];
    for (const secret of [...keys, ...keys]) {
      seen.push(String((await askWithKey(app, secret, url)).headers['ratelimit']));
    }
    expect(seen).toEqual([
      'account;r=599;t=60, plan;r=59;t=60',
      'account;r=598;t=60, plan;r=58;t=60',
      'account;r=599;t=60, plan;r=57;t=60',
      'account;r=597;t=60, plan;r=56;t=60',
      'account;r=596;t=60, plan;r=55;t=60',
      'account;r=598;t=60, plan;r=54;t=60',
    ]);
    app.clock.advance(18_500);
    const me = await askWithKey(app, keys[0] ?? '', '/v1/me');
    expect(me.headers['ratelimit']).toBe('account;r=595;t=42');
    expect(me.headers['ratelimit-policy']).toBe('account;q=600;w=60');
    nextMinute();
  });

  // ERR-14, LIM-7
  it('quotas that are used up give Retry-After; 304 and refusals count too', async () => {
    const bo = await makeUser(app.ctx, 'creator');
    const podcast = await makePodcast(app.ctx, { owner: bo });
    const { secret } = await makeKey(app.ctx, bo);
    const url = `/v1/me/podcasts/${podcast.id}`;
    const { etag } = (await askWithKey(app, secret, url)).headers;
    for (let at = 1; at < 60; at += 1) {
      const again = await askWithKey(app, secret, url, { 'if-none-match': String(etag) });
      expect(again.statusCode).toBe(304);
    }
    app.clock.advance(30_000);
    const spent = await askWithKey(app, secret, url, { 'if-none-match': String(etag) });
    expect(codeOf(spent)).toBe('429 rate_limited');
    expect(spent.headers).toMatchObject({
      'retry-after': '30',
      'ratelimit-policy': 'account;q=600;w=60, plan;q=60;w=60',
      ratelimit: 'account;r=539;t=30, plan;r=0;t=30',
      'cache-control': 'no-store',
    });
    expect(spent.headers['etag']).toBeUndefined();
    // Requests about no podcast still work. Refused requests count for the account, not the plan.
    const missing = await askWithKey(app, secret, `/v1/me/podcasts/${unknownId}`);
    expect([codeOf(missing), missing.headers['ratelimit']]).toEqual([
      '404 not_found',
      'account;r=538;t=30',
    ]);
    app.clock.advance(30_000);
    expect(await ask(secret, url)).toBe('200 ok');
    nextMinute();
  });

  // AUTH-5, LIM-8
  it('quotas of the user are checked before scope and parameters', async () => {
    const taken: string[] = [];
    await using strict = await createTestApp(
      {},
      {
        limits: {
          quotas: {
            consume: async (name) => {
              taken.push(name);
              return { allowed: false, remaining: 0, resetsInMs: 1_001 };
            },
          },
        },
      },
    );
    const bo = await makeUser(strict.ctx);
    const { secret } = await makeKey(strict.ctx, bo, { scopes: ['podcasts:read'] });
    const spent = await askWithKey(strict, secret, '/v1/me/episodes/nonsense?limit=0');
    expect(codeOf(spent)).toBe('429 rate_limited');
    expect(spent.headers).toMatchObject({
      'retry-after': '2',
      'ratelimit-policy': 'account;q=600;w=60',
      ratelimit: 'account;r=0;t=2',
    });
    // A 429 counts nothing further.
    expect(taken).toEqual([`account:${bo.id}`]);
  });

  // LIM-3
  it('quotas are independent of the public limit', async () => {
    await using strict = await createTestApp(
      {},
      { limits: { public: createMemoryLimiter({ limit: 1 }) } },
    );
    const bo = await makeUser(strict.ctx);
    const { secret } = await makeKey(strict.ctx, bo);
    for (let at = 0; at < 3; at += 1) {
      expect((await askWithKey(strict, secret, '/v1/me')).statusCode).toBe(200);
    }
    expect((await strict.request({ method: 'GET', url: '/v1/podcasts/x' })).statusCode).toBe(404);
  });
});

describe('a key', () => {
  it('a key is in no response', async () => {
    for (const url of ['/v1/me', `/v1/me/episodes/${episode.id}`, '/v1/me/nothing']) {
      const response = await askWithKey(app, key.secret, url);
      expect(JSON.stringify([response.body, response.headers])).not.toContain(
        key.secret.slice(9, 52),
      );
    }
  });

  // AUTH-1
  it('a key is ignored by public endpoints', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    expect((await send(headers, `/v1/podcasts/${show.slug}`)).statusCode).toBe(200);
  });
});
