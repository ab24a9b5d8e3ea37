import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUserPassword } from '../../../src/domain/access/sessions/index.ts';
import { approveConnection, endConnection } from '../../../src/domain/exchange/sites/index.ts';
import { setPlan, type User } from '../../../src/domain/foundation/accounts/index.ts';
import { type Podcast, updatePodcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newSecretToken } from '../../../src/lib/secret-token.ts';
import { createMemoryLimiter } from '../../../src/platform/rate-limiter/create-memory-limiter.ts';
import { exchangesPerMinute } from '../../../src/platform/rate-limiter/request-limits.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { findEmails } from '../../find-emails.ts';
import { makePodcast, makeUser } from '../../make.ts';
import { challengeOf, makeSite, newSiteUrl } from '../../make-site.ts';
import { codeOf, postWithKey, siteVersions, wrongOf } from './ask-as-site.ts';

let app: TestApp;
let ana: User;
let show: Podcast;

beforeAll(async () => {
  const limits = { exchanges: { consume: () => true } };
  app = await createTestApp({}, { limits });
  ana = await makeUser(app.ctx, 'creator');
  show = await makePodcast(app.ctx, { owner: ana, title: 'Night Signals' });
});
afterAll(() => app[Symbol.asyncDispose]());

interface Approved {
  readonly code: string;
  readonly codeVerifier: string;
}
const approve = async (
  options: { user?: User; shows?: Podcast[]; siteUrl?: string; transcripts?: boolean } = {},
): Promise<Approved> => {
  const { user = ana, shows = [show], siteUrl = newSiteUrl(), transcripts = false } = options;
  const codeVerifier = newSecretToken();
  const { code } = await approveConnection(app.ctx, {
    userId: user.id,
    siteUrl,
    restRoot: `${siteUrl}wp-json/`,
    podcastIds: shows.map(({ id }) => id),
    transcripts,
    codeChallenge: challengeOf(codeVerifier),
  });
  return { code, codeVerifier };
};
const post = (body: unknown, headers: Record<string, string> = {}) =>
  app.request({
    method: 'POST',
    url: '/v1/sites/exchange',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
const exchange = ({ code, codeVerifier }: Approved) => post({ code, code_verifier: codeVerifier });
const isUsed = async (approved: Approved) => codeOf(await exchange(approved)) !== '200';

describe('an exchange', () => {
  // KEY-6, REQ-27, SITE-2, SITE-6, SITE-8
  it('gives the key of a site, once', async () => {
    const siteUrl = newSiteUrl();
    const second = await makePodcast(app.ctx, { owner: ana, title: 'Day Signals' });
    const approved = await approve({ siteUrl, shows: [second, show], transcripts: true });
    const response = await exchange(approved);
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    const inAYear = new Date(app.clock.now().getTime() + 365 * 86_400_000);
    expect(response.json().data).toEqual({
      site_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      api_key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{49}$/),
      ping_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_at: inAYear.toISOString(),
      scopes: ['podcasts:read', 'episodes:read', 'transcripts:read', 'sites:write'],
      podcasts: [show.id, second.id],
    });
    expect(codeOf(await exchange(approved))).toBe('400 invalid_request');
    expect(wrongOf(await exchange(approved))).toBe('code');
    const email = (await findEmails(app, ana.email)).at(-1);
    expect(email).toMatchObject({
      template: 'site-connected',
      values: { address: siteUrl, podcasts: { titles: ['Night Signals', 'Day Signals'] } },
    });
    expect(JSON.stringify(email)).not.toContain(response.json().data.api_key);
  });

  // SITE-19, SITE-20
  it('an exchange for the same home address keeps the site, and ends the old key', async () => {
    const old = await makeSite(app.ctx, ana, [show]);
    const approved = await approve({ siteUrl: old.siteUrl, transcripts: true });
    expect(codeOf(await verify(old.secret, old.siteId))).toBe('200');
    const { data } = (await exchange(approved)).json();
    expect(data.site_id).toBe(old.siteId);
    expect(data.ping_secret).not.toBe(old.pingSecret);
    expect(codeOf(await verify(old.secret, old.siteId))).toBe('401 invalid_api_key');
    const verified = await verify(data.api_key, old.siteId);
    expect(verified.json().data).toMatchObject({ activated: true, status: 'active' });
  });

  // SITE-19
  it('an exchange of other installations on one host gives keys of their own', async () => {
    const host = newSiteUrl();
    const addresses = [host, `${host}blog/`, `${host}Blog/`];
    const sites = [];
    for (const siteUrl of addresses) sites.push(await makeSite(app.ctx, ana, [show], { siteUrl }));
    expect(new Set(sites.map(({ siteId }) => siteId)).size).toBe(3);
    for (const { secret, siteId } of sites)
      expect(codeOf(await verify(secret, siteId))).toBe('200');
  });

  // SITE-6
  it('succeeds for one of several at once', async () => {
    const approved = await approve();
    const responses = await Promise.all(Array.from({ length: 6 }, () => exchange(approved)));
    const refused = Array(5).fill('400 invalid_request');
    expect(responses.map(codeOf).sort()).toEqual(['200', ...refused]);
  });

  const verify = (secret: string, siteId: string) =>
    postWithKey(app, secret, `/v1/me/sites/${siteId}/verify`, siteVersions);
});

describe('a code is used up', () => {
  // SITE-6, SITE-7
  it.each<[string, (approved: Approved) => object, string]>([
    ['another verifier', () => ({ code_verifier: newSecretToken() }), 'code'],
    ['a short verifier', () => ({ code_verifier: 'x'.repeat(42) }), 'code_verifier'],
    ['a long verifier', () => ({ code_verifier: 'x'.repeat(129) }), 'code_verifier'],
    ['a malformed verifier', () => ({ code_verifier: `${'x'.repeat(43)}+` }), 'code_verifier'],
    ['no verifier', () => ({}), 'code_verifier'],
    ['a number', () => ({ code_verifier: 7 }), 'code_verifier'],
    ['the challenge', ({ codeVerifier: it }) => ({ code_verifier: challengeOf(it) }), 'code'],
    ['another property', ({ codeVerifier: it }) => ({ code_verifier: it, x: 1 }), 'x'],
  ])('a code is used up by a request with %s', async (_, more, wrong) => {
    const approved = await approve();
    const response = await post({ code: approved.code, ...more(approved) });
    expect(codeOf(response)).toBe('400 invalid_request');
    expect(wrongOf(response)).toBe(wrong);
    expect(await isUsed(approved)).toBe(true);
  });

  // SITE-6
  it('a code is used up by a wrong request beside a right one: one of them at most succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const approved = await approve();
      const wrong = post({ code: approved.code, x: 1 });
      const [right] = await Promise.all([exchange(approved), wrong]);
      expect(['200', '400 invalid_request']).toContain(codeOf(right));
      expect(await isUsed(approved)).toBe(true);
    }
  });

  // SITE-3
  it('a code is used up if a show of it cannot be connected any more', async () => {
    const bo = await makeUser(app.ctx, 'creator');
    const theirs = await makePodcast(app.ctx, { owner: bo });
    const lapsed = await approve({ user: bo, shows: [theirs] });
    await setPlan(app.ctx, { email: bo.email, plan: 'creator', planState: 'lapsed' });
    expect(wrongOf(await exchange(lapsed))).toBe('code');
    await setPlan(app.ctx, { email: bo.email, plan: 'creator', planState: 'active' });
    expect(await isUsed(lapsed)).toBe(true);
    const moved = await approve({ user: bo, shows: [theirs] });
    await updatePodcast(app.ctx, theirs.id, { hostingType: 'external' });
    expect(wrongOf(await exchange(moved))).toBe('code');
  });

  // SITE-6
  it('a code is used up after five minutes, and by a new password', async () => {
    const [inTime, late] = [await approve(), await approve()];
    const start = app.clock.now();
    app.clock.advance(5 * 60_000 - 1);
    expect(codeOf(await exchange(inTime))).toBe('200');
    app.clock.advance(1);
    expect(codeOf(await exchange(late))).toBe('400 invalid_request');
    app.clock.set(start);
    expect(await isUsed(late)).toBe(true);
    const cy = await makeUser(app.ctx);
    const shows = [await makePodcast(app.ctx, { owner: cy })];
    const before = await approve({ user: cy, shows });
    await setUserPassword(app.ctx, { userId: cy.id, password: 'another horse' });
    expect(codeOf(await exchange(before))).toBe('400 invalid_request');
  });

  // REQ-13, SITE-7
  it('a code is not used up by a request that is not read', async () => {
    const approved = await approve();
    const { code, codeVerifier } = approved;
    const body = JSON.stringify({ code, code_verifier: codeVerifier });
    const send = (url: string, headers: Record<string, string>, payload = body) =>
      app.request({ method: 'POST', url, headers, payload });
    const json = { 'content-type': 'application/json' };
    const url = '/v1/sites/exchange';
    expect((await send(`${url}?key=x`, json)).statusCode).toBe(400);
    expect((await send(url, { 'content-type': 'text/plain' })).statusCode).toBe(415);
    expect((await send(url, json, body.slice(0, -1))).statusCode).toBe(400);
    expect((await send(url, json, `[${body}]`)).statusCode).toBe(400);
    expect((await app.request({ method: 'GET', url })).statusCode).toBe(405);
    expect(wrongOf(await post({ code: `${code}x`, code_verifier: codeVerifier }))).toBe('code');
    expect(wrongOf(await post({ code: [code], code_verifier: codeVerifier }))).toBe('code');
    expect(wrongOf(await post({}))).toBe('code, code_verifier');
    expect(codeOf(await exchange(approved))).toBe('200');
  });
});

describe('a user', () => {
  // LIM-13, SITE-16
  it('a user has at most fifty sites, but may connect one of them again', async () => {
    const di = await makeUser(app.ctx);
    const shows = [await makePodcast(app.ctx, { owner: di })];
    const sites = [];
    for (let site = 0; site < 49; site += 1) {
      sites.push(await makeSite(app.ctx, di, shows, { active: site % 2 === 0 }));
    }
    const rivals = [await approve({ user: di, shows }), await approve({ user: di, shows })];
    const responses = await Promise.all(rivals.map(exchange));
    expect(responses.map(codeOf).sort()).toEqual(['200', '400 invalid_request']);
    const refused = responses.find(({ statusCode }) => statusCode === 400);
    expect(refused && wrongOf(refused)).toBe('code site_limit');
    const [first, second] = sites;
    if (first === undefined || second === undefined) throw new Error('there are no sites');
    const again = await approve({ user: di, shows, siteUrl: first.siteUrl });
    expect(codeOf(await exchange(again))).toBe('200');
    await endConnection(app.ctx, second.siteId);
    const next = await approve({ user: di, shows });
    const back = await approve({ user: di, shows, siteUrl: second.siteUrl });
    expect(codeOf(await exchange(next))).toBe('200');
    expect(wrongOf(await exchange(back))).toBe('code site_limit');
    await expect(approve({ user: di, shows })).rejects.toThrow('at most 50 connected sites');
  });
});

describe('exchanges are limited', () => {
  // LIM-10
  it('exchanges are limited to thirty a minute for each network; refused ones do not use up a code', async () => {
    const exchanges = createMemoryLimiter({ limit: exchangesPerMinute });
    await using other = await createTestApp({ TRUST_PROXY: '1' }, { limits: { exchanges } });
    const send = (ip: string, body: object = {}) =>
      other.request({
        method: 'POST',
        url: '/v1/sites/exchange',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
        payload: JSON.stringify(body),
      });
    const codes = [];
    for (let n = 0; n < 31; n += 1) codes.push(codeOf(await send(`2001:db8:1:2::${n}`)));
    expect(codes).toEqual([...Array(30).fill('400 invalid_request'), '429 rate_limited']);
    expect(codeOf(await send('2001:db8:1:3::1'))).toBe('400 invalid_request');
    expect(codeOf(await send('203.0.113.7'))).toBe('400 invalid_request');
    const bo = await makeUser(other.ctx);
    const theirs = await makePodcast(other.ctx, { owner: bo });
    const siteUrl = newSiteUrl();
    const codeVerifier = newSecretToken();
    const { code } = await approveConnection(other.ctx, {
      ...{ userId: bo.id, siteUrl, restRoot: `${siteUrl}wp-json/`, podcastIds: [theirs.id] },
      ...{ transcripts: false, codeChallenge: challengeOf(codeVerifier) },
    });
    const body = { code, code_verifier: codeVerifier };
    const refused = await send('2001:db8:1:2::1', body);
    expect(codeOf(refused)).toBe('429 rate_limited');
    expect(refused.headers['retry-after']).toBe('60');
    other.clock.advance(60_000);
    expect(codeOf(await send('2001:db8:1:2::1', body))).toBe('200');
  });
});
