import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setPlan, type User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newSecretToken } from '../../../src/lib/secret-token.ts';
import { askWithKey } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makePodcast, makeUser } from '../../make.ts';
import { challengeOf, makeSite, makeUnregisteredKey, newSiteUrl } from '../../make-site.ts';
import { openPlugins, type Plugins, respondWithChallenge } from '../../open-plugins.ts';
import { codeOf, postWithKey, siteVersions, wrongOf } from './ask-as-site.ts';

let app: TestApp;
let plugins: Plugins;
let ana: User;
let show: Podcast;

beforeAll(async () => {
  plugins = await openPlugins();
  app = await createTestApp({}, { outbound: plugins.outbound });
  ana = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner: ana });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await plugins[Symbol.asyncDispose]();
});
afterEach(() => {
  plugins.timeoutMs = undefined;
  plugins.requests.length = 0;
  // Attempts are limited per minute.
  app.clock.advance(60_000);
});

const newKey = () => makeUnregisteredKey(app.ctx, ana, [show]);
const verifier = newSecretToken();
const codeChallenge = challengeOf(verifier);
const state = 'o7Jc2nYw4sQe8rTgB5vKxL1pZ9mHdF3a';
const bodyFor = (siteUrl: string, more: object = {}) => ({
  code_challenge: codeChallenge,
  rest_root: `${siteUrl}wp-json/`,
  site_url: siteUrl,
  state,
  ...more,
});
const ask = (secret: string, url: string) => askWithKey(app, secret, url);
const verify = (secret: string, siteId: string) =>
  postWithKey(app, secret, `/v1/me/sites/${siteId}/verify`, siteVersions);
const redirectTo =
  (location: string): Plugins['respond'] =>
  (_, response) =>
    void response.writeHead(302, { Location: location }).end();
const register = (secret: string, body: object) => postWithKey(app, secret, '/v1/me/sites', body);

describe('a registration', () => {
  // SITE-15, SITE-17
  it('binds the key to the site whose plugin answers the challenge', async () => {
    plugins.respond = respondWithChallenge(codeChallenge);
    const siteUrl = newSiteUrl();
    const key = await newKey();
    const response = await register(key.secret, bodyFor(siteUrl));
    expect(response.statusCode, response.body).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json().data).toEqual({
      site_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      site_url: siteUrl,
      status: 'pending',
      ping_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_at: key.expiresAt.toISOString(),
    });
    expect(plugins.requests).toEqual([
      {
        url: `${siteUrl}wp-json/podstead/v1/challenge?state=${state}`,
        asked: expect.objectContaining({ httpsOnly: true, maxRedirects: 0, timeoutMs: 10_000 }),
      },
    ]);
  });

  // SITE-13, SITE-15
  it.each(['wp-json/', '?rest_route=/', 'index.php?rest_route=/'])(
    'asks at %s, with the state as a parameter of its own',
    async (form) => {
      plugins.respond = respondWithChallenge(codeChallenge);
      const siteUrl = `${newSiteUrl()}Sub/`;
      const { secret } = await newKey();
      const response = await register(secret, bodyFor(siteUrl, { rest_root: `${siteUrl}${form}` }));
      expect(response.statusCode, response.body).toBe(201);
      const [request] = plugins.requests;
      const asked = new URL(request?.url ?? '');
      expect(asked.searchParams.get('state')).toBe(state);
      const route = asked.searchParams.get('rest_route') ?? asked.pathname;
      expect(route.endsWith('/podstead/v1/challenge')).toBe(true);
    },
  );

  // SITE-10, SITE-17
  it('gives a new ping secret while the site is pending, and none when it is active', async () => {
    plugins.respond = respondWithChallenge(codeChallenge);
    const siteUrl = newSiteUrl();
    const { secret } = await newKey();
    const [first, again] = [
      await register(secret, bodyFor(siteUrl)),
      await register(secret, bodyFor(siteUrl, { rest_root: `${siteUrl}?rest_route=/` })),
    ];
    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    const { site_id: siteId, ping_secret: firstSecret } = first.json().data;
    expect(again.json().data.site_id).toBe(siteId);
    expect(again.json().data.ping_secret).not.toBe(firstSecret);
    expect(codeOf(await register(secret, bodyFor(newSiteUrl())))).toBe('403 forbidden');
    await verify(secret, siteId);
    plugins.requests.length = 0;
    expect(codeOf(await register(secret, bodyFor(siteUrl)))).toBe('403 forbidden');
    expect(plugins.requests).toEqual([]);
  });

  // SITE-10
  it('a registration is refused for a key from an exchange, pending or active', async () => {
    plugins.respond = respondWithChallenge(codeChallenge);
    const { secret, siteId, siteUrl } = await makeSite(app.ctx, ana, [show]);
    const refused = async () => codeOf(await register(secret, bodyFor(siteUrl)));
    expect(await refused()).toBe('403 forbidden');
    await verify(secret, siteId);
    expect(await refused()).toBe('403 forbidden');
    expect(plugins.requests).toEqual([]);
  });

  // SITE-10
  it("a registration needs one of the key's shows to have a plan with the API", async () => {
    plugins.respond = respondWithChallenge(codeChallenge);
    const bo = await makeUser(app.ctx, 'creator');
    const theirs = await makePodcast(app.ctx, { owner: bo });
    const { secret } = await makeUnregisteredKey(app.ctx, bo, [theirs]);
    const body = bodyFor(newSiteUrl());
    const plan = { email: bo.email, plan: 'creator' };
    await setPlan(app.ctx, { ...plan, planState: 'lapsed' });
    expect(codeOf(await register(secret, body))).toBe('403 plan_upgrade_required');
    expect(plugins.requests).toEqual([]);
    await setPlan(app.ctx, { ...plan, planState: 'active' });
    expect(codeOf(await register(secret, body))).toBe('201');
  });

  // SITE-19
  it('replaces the connection that the home address had, and keeps its id', async () => {
    plugins.respond = respondWithChallenge(codeChallenge);
    const before = await makeSite(app.ctx, ana, [show]);
    const { secret } = await newKey();
    const response = await register(secret, bodyFor(before.siteUrl));
    expect(response.json().data).toMatchObject({ site_id: before.siteId, status: 'pending' });
    expect(codeOf(await verify(before.secret, before.siteId))).toBe('401 invalid_api_key');
    expect(codeOf(await verify(secret, before.siteId))).toBe('200');
  });

  // SITE-19
  it('leaves another user’s connection of the same address alone', async () => {
    plugins.respond = respondWithChallenge(codeChallenge);
    const bo = await makeUser(app.ctx);
    const theirs = await makeSite(app.ctx, bo, [await makePodcast(app.ctx, { owner: bo })]);
    const { secret } = await newKey();
    const response = await register(secret, bodyFor(theirs.siteUrl));
    expect(response.json().data.site_id).not.toBe(theirs.siteId);
    expect(codeOf(await verify(theirs.secret, theirs.siteId))).toBe('200');
  });

  it('binds one key once, and one address once, of several at once', async () => {
    plugins.respond = respondWithChallenge(codeChallenge);
    const { secret } = await newKey();
    const addresses = Array.from({ length: 4 }, newSiteUrl);
    const responses = await Promise.all(addresses.map((url) => register(secret, bodyFor(url))));
    expect(responses.map(codeOf).sort()).toEqual(['201', ...Array(3).fill('403 forbidden')]);
    app.clock.advance(60_000);
    const siteUrl = newSiteUrl();
    const keys = await Promise.all(Array.from({ length: 4 }, newKey));
    const rivals = await Promise.all(keys.map((key) => register(key.secret, bodyFor(siteUrl))));
    expect(rivals.map(codeOf)).toEqual(Array(4).fill('201'));
    const [siteId, ...others] = new Set(rivals.map((response) => response.json().data.site_id));
    expect(others).toEqual([]);
    const left = await Promise.all(keys.map((key) => verify(key.secret, siteId)));
    expect(left.map(codeOf).sort()).toEqual(['200', ...Array(3).fill('401 invalid_api_key')]);
  });
});

describe('a registration is refused', () => {
  const fields = (siteUrl: string, more: object) => bodyFor(siteUrl, more);
  // REQ-8, SITE-11, SITE-12, SITE-13, SITE-14
  it.each<[string, (siteUrl: string) => object, string]>([
    ['nothing', () => ({}), 'code_challenge, rest_root, site_url, state'],
    [
      'everything wrong',
      () => everythingWrong,
      'more, code_challenge, state, site_url, rest_root, admin_url',
    ],
    ['http', (url) => fields(url.replace('https', 'http'), {}), 'site_url, rest_root'],
    ['a port', (url) => fields(`${url.slice(0, -1)}:8443/`, {}), 'site_url, rest_root'],
    ['another rest_root', (url) => fields(url, { rest_root: `${url}api/` }), 'rest_root'],
    [
      'a rest_root elsewhere',
      (url) => fields(url, { rest_root: 'https://x.example/wp-json/' }),
      'rest_root',
    ],
    [
      'an admin_url elsewhere',
      (url) => fields(url, { admin_url: 'https://x.example/wp-admin/' }),
      'admin_url',
    ],
    ['an empty admin_url', (url) => fields(url, { admin_url: '' }), 'admin_url'],
    ['a short state', (url) => fields(url, { state: 'x'.repeat(31) }), 'state'],
    ['a long state', (url) => fields(url, { state: 'x'.repeat(129) }), 'state'],
    [
      'a padded challenge',
      (url) => fields(url, { code_challenge: `${codeChallenge}=` }),
      'code_challenge',
    ],
    ['too long', (url) => fields(url, { rest_root: `${url}${'a'.repeat(2048)}` }), 'rest_root'],
    ['a number', (url) => fields(url, { site_url: 7 }), 'site_url'],
    ['an unknown property', (url) => fields(url, { site_name: 'x' }), 'site_name'],
  ])(
    'a registration that has %s is refused without a request to the site',
    async (_, body, wrong) => {
      const response = await register((await newKey()).secret, body(newSiteUrl()));
      expect(codeOf(response)).toBe('400 invalid_request');
      expect(wrongOf(response)).toBe(wrong);
      expect(plugins.requests).toEqual([]);
    },
  );

  const everythingWrong = {
    code_challenge: 'x',
    rest_root: 'ftp://x/',
    site_url: 'x',
    state: 'x',
    admin_url: 'x',
    more: 1,
  };

  // SITE-9, SITE-16
  it.each<[string, Plugins['respond'], string]>([
    ['another challenge', respondWithChallenge(challengeOf('other')), 'challenge_mismatch'],
    ['no challenge', (_, response) => response.end('{}'), 'challenge_mismatch'],
    [
      'a challenge of another type',
      (_, response) => response.end('{"code_challenge":["x"]}'),
      'challenge_mismatch',
    ],
    [
      'a list',
      (_, response) => response.end(`[{"code_challenge":"${codeChallenge}"}]`),
      'challenge_mismatch',
    ],
    ['null', (_, response) => response.end('null'), 'challenge_mismatch'],
    [
      'a page',
      (_, response) => response.end('<!doctype html><title>Hello</title>'),
      'challenge_mismatch',
    ],
    ['nothing', (_, response) => response.end(), 'challenge_mismatch'],
    ['deep JSON', (_, response) => response.end('['.repeat(60_000)), 'challenge_mismatch'],
    ['more than a challenge', (_, response) => response.end(largeResponse), 'challenge_mismatch'],
    ['a redirect', redirectTo('/elsewhere'), 'challenge_mismatch'],
    [
      'a redirect to itself',
      (request, response) => redirectTo(request.url ?? '')(request, response),
      'challenge_mismatch',
    ],
    ['a redirect inward', redirectTo('http://169.254.169.254/latest/'), 'challenge_mismatch'],
    ['a redirect to a file', redirectTo('file:///etc/passwd'), 'challenge_mismatch'],
    ['a redirect with credentials', redirectTo('https://a:b@x.example/'), 'challenge_mismatch'],
    ['a redirect to nowhere', redirectTo('https://'), 'challenge_mismatch'],
    [
      'a redirect without an address',
      (_, response) => response.writeHead(302).end(),
      'challenge_mismatch',
    ],
    ['404', (_, response) => response.writeHead(404).end(rightResponse), 'challenge_unreachable'],
    ['500', (_, response) => response.writeHead(500).end(rightResponse), 'challenge_unreachable'],
    ['204', (_, response) => response.writeHead(204).end(), 'challenge_unreachable'],
    ['201', (_, response) => response.writeHead(201).end(rightResponse), 'challenge_unreachable'],
    ['a closed connection', (request) => request.socket.destroy(), 'challenge_unreachable'],
    ['half a response', (_, response) => cutOff(response), 'challenge_unreachable'],
    [
      'an unknown coding',
      (_, response) => response.writeHead(200, { 'Content-Encoding': 'x' }).end(),
      'challenge_unreachable',
    ],
  ])('a registration is refused when the plugin sends %s', async (_, response, reason) => {
    plugins.respond = response;
    const { secret } = await newKey();
    const refused = await register(secret, bodyFor(newSiteUrl()));
    expect(codeOf(refused)).toBe('400 invalid_request');
    expect(wrongOf(refused)).toBe(`rest_root ${reason}`);
    expect(plugins.requests).toHaveLength(1);
    expect(codeOf(await ask(secret, '/v1/me'))).toBe('403 forbidden');
  });

  const rightResponse = JSON.stringify({ code_challenge: codeChallenge });
  const largeResponse = `${' '.repeat(64 * 1024)}${rightResponse}`;
  const cutOff = (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write(rightResponse, () => response.socket?.destroy());
  };

  it.each<[string, Plugins['respond']]>([
    ['never', () => {}],
    ['without an end', (_, response) => void response.write('{')],
  ])('a registration is refused when the plugin sends %s', async (_, response) => {
    plugins.respond = response;
    plugins.timeoutMs = 100;
    const refused = await register((await newKey()).secret, bodyFor(newSiteUrl()));
    expect(wrongOf(refused)).toBe('rest_root challenge_unreachable');
  });

  // LIM-10
  it('the eleventh time in a minute; attempts that called no site do not count', async () => {
    plugins.respond = respondWithChallenge(challengeOf('other'));
    const { secret } = await newKey();
    const other = await newKey();
    const siteUrl = newSiteUrl();
    for (let tries = 0; tries < 12; tries += 1) {
      await register(secret, bodyFor(siteUrl, { rest_root: 'https://x.example/wp-json/' }));
    }
    const responses = [];
    for (let tries = 0; tries < 11; tries += 1) {
      responses.push(await register(tries % 2 ? secret : other.secret, bodyFor(siteUrl)));
    }
    expect(responses.slice(0, 10).map(codeOf)).toEqual(Array(10).fill('400 invalid_request'));
    expect(responses.map(codeOf).at(-1)).toBe('429 rate_limited');
    expect(Number(responses.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
    expect(plugins.requests).toHaveLength(10);
    app.clock.advance(60_000);
    plugins.respond = respondWithChallenge(codeChallenge);
    expect(codeOf(await register(secret, bodyFor(siteUrl)))).toBe('201');
  });
});
