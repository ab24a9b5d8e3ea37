import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cutOffPodcastKeys, revokeAllKeys } from '../../../src/domain/access/keys/index.ts';
import { setUserPassword } from '../../../src/domain/access/sessions/index.ts';
import { disconnectSite, endConnection } from '../../../src/domain/exchange/sites/index.ts';
import { setPlan, type User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Episode } from '../../../src/domain/publishing/episodes/index.ts';
import { type Podcast, pausePodcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newSecretToken } from '../../../src/lib/secret-token.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { askWithKey, countStatements } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';
import { challengeOf, makeSite, makeUnregisteredKey, newSiteUrl } from '../../make-site.ts';
import { openPlugins, type Plugins, respondWithChallenge } from '../../open-plugins.ts';
import { codeOf, postWithKey, siteVersions } from './ask-as-site.ts';

const codeChallenge = challengeOf(newSecretToken());
let app: TestApp;
let plugins: Plugins;

beforeAll(async () => {
  plugins = await openPlugins();
  plugins.respond = respondWithChallenge(codeChallenge);
  app = await createTestApp({}, { outbound: plugins.outbound });
});
afterEach(() => app.clock.reset());
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await plugins[Symbol.asyncDispose]();
});

/** The key of a request, and the ids in it. */
interface Caller {
  readonly secret: string;
  readonly siteId: string;
  readonly siteUrl: string;
  readonly episodeId: string;
}

interface Made {
  readonly user: User;
  readonly show: Podcast;
  readonly episode: Episode;
}

/** The callers of every route. Each has its own user, show and episode. */
const states: Readonly<
  Record<string, (made: Made) => Promise<Pick<Caller, 'secret'> & Partial<Caller>>>
> = {
  'no key': async () => ({ secret: '' }),
  'a person’s key': async ({ user }) => {
    const { siteId, siteUrl } = await site({ user });
    return { ...(await makeKey(app.ctx, user)), siteId, siteUrl };
  },
  unregistered: ({ user, show }) => makeUnregisteredKey(app.ctx, user, [show]),
  'unregistered for a day': async ({ user, show }) => {
    const key = await makeUnregisteredKey(app.ctx, user, [show]);
    app.clock.advance(24 * 3_600_000);
    return key;
  },
  'unregistered, revoked': async ({ user, show }) => {
    const key = await makeUnregisteredKey(app.ctx, user, [show]);
    await revokeAllKeys(app.ctx, user.id);
    return key;
  },
  'registered, pending': async ({ user, show }) => {
    const { secret } = await makeUnregisteredKey(app.ctx, user, [show]);
    const siteUrl = newSiteUrl();
    const { data } = (await register({ secret, siteUrl })).json();
    return { secret, siteUrl, siteId: data.site_id };
  },
  pending: ({ user }) => site({ user }, { active: false }),
  'pending for a month': async ({ user }) => {
    const pending = await site({ user }, { active: false });
    app.clock.advance(30 * 86_400_000);
    return pending;
  },
  active: ({ user }) => site({ user }),
  'active, another site': async ({ user }) => {
    const { siteId } = await site({ user });
    return { ...(await site({ user })), siteId };
  },
  'active, no such site': async ({ user }) => ({ ...(await site({ user })), siteId: newId() }),
  'active, malformed id': async ({ user }) => ({ ...(await site({ user })), siteId: 'x' }),
  'active, plan lapsed': async ({ user }) => {
    const active = await site({ user });
    await setPlan(app.ctx, { email: user.email, plan: 'creator', planState: 'lapsed' });
    return active;
  },
  'active, show paused': async ({ user, show }) => {
    const active = await site({ user });
    await askWithKey(app, active.secret, `/v1/me/sites/${active.siteId}/changes`);
    await pausePodcast(app.ctx, show.id);
    return active;
  },
  'active, cut off': async ({ user, show }) => {
    const active = await site({ user });
    await askWithKey(app, active.secret, `/v1/me/sites/${active.siteId}/changes`);
    await cutOffPodcastKeys(app.contextFor({ kind: 'user', userId: user.id }), show.id);
    return active;
  },
  'disconnected by itself': async ({ user }) => {
    const active = await site({ user });
    await disconnectSite(active.ctx, active.siteId);
    return active;
  },
  'disconnected by its owner': async ({ user }) => {
    const active = await site({ user });
    await endConnection(app.ctx, active.siteId);
    return active;
  },
  'disconnected by a new password': async ({ user }) => {
    const active = await site({ user });
    await setUserPassword(app.ctx, { userId: user.id, password: 'another horse' });
    return active;
  },
  'connected again': async ({ user }) => {
    const old = await site({ user });
    await site({ user }, { siteUrl: old.siteUrl });
    return old;
  },
  expired: async ({ user }) => {
    const active = await site({ user });
    app.clock.advance(365 * 86_400_000);
    return active;
  },
};

const site = ({ user }: Pick<Made, 'user'>, options: Parameters<typeof makeSite>[3] = {}) =>
  makeSite(app.ctx, user, undefined, options);

/** In this order, because a registration or a verification changes the next responses. */
const routes: Readonly<Record<string, (caller: Caller) => Promise<string>>> = {
  me: async ({ secret }) => codeOf(await askWithKey(app, secret, '/v1/me')),
  podcasts: async ({ secret }) => codeOf(await askWithKey(app, secret, '/v1/me/podcasts')),
  changes: async ({ secret, siteId }) =>
    codeOf(await askWithKey(app, secret, `/v1/me/sites/${siteId}/changes`)),
  health: (caller) => post(caller, 'health', siteVersions),
  post: (caller) =>
    post(caller, `episodes/${caller.episodeId}/post`, {
      post_url: `${caller.siteUrl}?p=1`,
      state: 'published',
      wp_post_id: 1,
    }),
  register: async (caller) => codeOf(await register(caller)),
  verify: (caller) => post(caller, 'verify', siteVersions),
  disconnect: (caller) => post(caller, 'disconnect', {}),
};

function register({ secret, siteUrl }: Pick<Caller, 'secret' | 'siteUrl'>) {
  return postWithKey(app, secret, '/v1/me/sites', {
    site_url: siteUrl,
    rest_root: `${siteUrl}wp-json/`,
    state: 's'.repeat(32),
    code_challenge: codeChallenge,
  });
}

async function post({ secret, siteId }: Caller, path: string, body: object): Promise<string> {
  return codeOf(await postWithKey(app, secret, `/v1/me/sites/${siteId}/${path}`, body));
}

const all = (code: string) => Array<string>(8).fill(code);
const scope = '403 insufficient_scope';
const forbidden = '403 forbidden';
const missing = '404 not_found';
const malformed = '400 invalid_request';
const ok = '200';

const table: readonly (readonly [keyof typeof states, ...string[]])[] = [
  //                      me  podcasts changes  health   post    register  verify   disconnect
  ['no key', ...all('401 unauthorized')],
  ['a person’s key', ok, ok, scope, scope, scope, scope, scope, scope],
  ['unregistered', ...Array<string>(5).fill(forbidden), '201', missing, missing],
  ['unregistered for a day', ...all('401 invalid_api_key')],
  ['unregistered, revoked', ...all('401 invalid_api_key')],
  ['registered, pending', ok, ok, ok, ok, ok, '201', ok, ok],
  ['pending', ok, ok, ok, ok, ok, forbidden, ok, ok],
  ['pending for a month', ok, ok, ok, ok, ok, forbidden, ok, ok],
  ['active', ok, ok, ok, ok, ok, forbidden, ok, ok],
  ['active, another site', ok, ok, missing, missing, missing, forbidden, missing, missing],
  ['active, no such site', ok, ok, missing, missing, missing, forbidden, missing, missing],
  [
    'active, malformed id',
    ok,
    ok,
    malformed,
    malformed,
    malformed,
    forbidden,
    malformed,
    malformed,
  ],
  ['active, plan lapsed', ok, ok, '403 plan_upgrade_required', ok, missing, forbidden, ok, ok],
  ['active, show paused', ok, ok, ok, ok, ok, forbidden, ok, ok],
  ['active, cut off', ok, ok, ok, ok, ok, forbidden, ok, ok],
  ['disconnected by itself', ...all('401 invalid_api_key')],
  ['disconnected by its owner', ...all('401 invalid_api_key')],
  ['disconnected by a new password', ...all('401 invalid_api_key')],
  ['connected again', ...all('401 invalid_api_key')],
  ['expired', ...all('401 invalid_api_key')],
];

// AUTH-16, KEY-13, KEY-17, SITE-9, SITE-10, SITE-18, SITE-21, SITE-22, SITE-38
describe('every route', () => {
  it.each(table)(
    'every route responds as documented with a key in the state %s',
    async (state, ...codes) => {
      const user = await makeUser(app.ctx, 'creator');
      const show = await makePodcast(app.ctx, { owner: user });
      const episode = await makeEpisode(app.ctx, show);
      const found = await states[state]?.({ user, show, episode });
      if (found === undefined) throw new Error(`there is no state ${state}`);
      const unnamed = { siteId: newId(), siteUrl: newSiteUrl(), episodeId: episode.id };
      const responses: Record<string, string> = {};
      for (const [name, route] of Object.entries(routes)) {
        responses[name] = await route({ ...unnamed, ...found });
      }
      const expected = Object.keys(routes).map((name, index) => [name, codes[index]]);
      expect(responses).toEqual(Object.fromEntries(expected));
    },
  );

  it('every route is requested in every state', () => {
    expect(table.map(([state]) => state)).toEqual(Object.keys(states));
  });
});

describe('the key of a site', () => {
  // KEY-18
  it('shows its user, without the email address', async () => {
    const user = await makeUser(app.ctx, 'creator');
    const show = await makePodcast(app.ctx, { owner: user });
    const { secret, siteId, siteUrl, keyId } = await makeSite(app.ctx, user, [show]);
    const { data } = (await askWithKey(app, secret, '/v1/me')).json();
    expect(data).toMatchObject({
      user: { id: user.id, name: user.name },
      key: { id: keyId, kind: 'site', name: siteUrl, podcasts: [show.id] },
      site: { id: siteId, site_url: siteUrl, status: 'active' },
    });
    expect(data.user.email).toBeUndefined();
  });

  // LIM-7, REQ-27
  it('the key of a site is counted in the quota of its user alone, and learns what is left', async () => {
    const user = await makeUser(app.ctx, 'creator');
    await makePodcast(app.ctx, { owner: user });
    const { secret, siteId } = await makeSite(app.ctx, user);
    const url = `/v1/me/sites/${siteId}/health`;
    const response = await postWithKey(app, secret, url, siteVersions);
    expect(response.headers['ratelimit']).toMatch(/^account;r=599;t=\d+$/);
    expect(response.headers['cache-control']).toBe('private, no-cache');
    const report = () => postWithKey(app, secret, url, siteVersions);
    expect(await countStatements(app, report)).toBe(2);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });
});
