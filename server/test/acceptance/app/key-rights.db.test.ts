import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { revokeKey, rollKey } from '../../../src/domain/access/keys/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../../make.ts';
import { makeSite } from '../../make-site.ts';

let app: TestApp;
let user: User;
let show: Podcast;
let browser: Browser;
let people = 0;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  app.clock.reset();
  user = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner: user });
  // Sign-ins of one address are limited.
  people += 1;
  browser = createBrowser(app, { address: `198.51.100.${people}` });
  await browser.signIn(user.email);
});

const proof = { current_password: testPassword };
const query = (text: string, values: unknown[]) => app.database.pool.query(text, values);
const dayMs = 86_400_000;

const isAccepted = ({ statusCode, body }: { statusCode: number; body: string }): boolean => {
  expect([200, 201, 400], body).toContain(statusCode);
  return statusCode !== 400;
};

describe('the rights that a user has on a key', () => {
  type State = 'active' | 'rolled' | 'expired' | 'revoked';
  const makeIn: Readonly<Record<State, (keyId: string) => Promise<unknown>>> = {
    active: async () => undefined,
    rolled: (keyId) => rollKey(app.ctx, { keyId, grace: '24h', expiresInDays: 90 }),
    async expired() {
      app.clock.advance(29 * dayMs);
      await browser.get('/app/api/me');
      app.clock.advance(2 * dayMs);
    },
    revoked: (keyId) => revokeKey(app.ctx, keyId),
  };

  it.each(Object.keys(makeIn) as State[])(
    'what is reported is what is accepted: %s',
    async (state) => {
      const made = await makeKey(app.ctx, user, { scopes: ['podcasts:read'], expiresInDays: 30 });
      const { id } = made.key;
      await makeIn[state](id);
      const [key] = (await browser.get('/app/api/keys')).json().data;
      expect(key.id).toBe(id);
      const url = `/app/api/keys/${id}`;
      const added: string[] = [];
      for (const scope of ['analytics:read', 'episodes:read', 'transcripts:read', 'sites:write']) {
        const body = { scopes: [scope], ...proof };
        if (isAccepted(await browser.send('POST', `${url}/widen`, body))) added.push(scope);
      }
      expect(key.may_add_scopes).toEqual(added);
      const widened = await browser.send('POST', `${url}/widen`, { podcasts: 'all', ...proof });
      expect(isAccepted(widened)).toBe(key.may_widen);
      const roll = { grace: 'none', expires_in_days: 90, ...proof };
      expect(isAccepted(await browser.send('POST', `${url}/roll`, roll))).toBe(key.may_roll);
    },
  );

  it('the reported choices are those that a new key and a new secret accept', async () => {
    const { choices } = (await browser.get('/app/api/keys')).json();
    const base = { name: 'Website', scopes: ['podcasts:read'], podcasts: 'all', ...proof };
    const create = async (more: object) => {
      const made = await browser.send('POST', '/app/api/keys', { ...base, ...more });
      if (!isAccepted(made)) return false;
      await browser.send('DELETE', `/app/api/keys/${made.json().data.key.id}`);
      return true;
    };
    const days = [];
    for (const expires of [1, 30, 60, 90, 180, 365, 366, 730]) {
      if (await create({ expires_in_days: expires })) days.push(expires);
    }
    expect(choices.expires_in_days).toEqual(days);
    const scopes = [];
    const all = ['podcasts:read', 'analytics:read', 'episodes:read', 'transcripts:read'];
    for (const scope of [...all, 'sites:write', 'other']) {
      if (await create({ scopes: [scope], expires_in_days: 30 })) scopes.push(scope);
    }
    expect(choices.scopes).toEqual(scopes);
    const { key } = await makeKey(app.ctx, user);
    const graces = [];
    for (const grace of ['none', '1h', '24h', '48h', '7d']) {
      const body = { grace, expires_in_days: 30, ...proof };
      const rolled = await browser.send('POST', `/app/api/keys/${key.id}/roll`, body);
      if (isAccepted(rolled)) graces.push(grace);
    }
    expect(choices.grace).toEqual(graces);
  });
});

describe('the rights that a user has on a connected site', () => {
  const change = async (siteId: string, podcasts: readonly string[]) =>
    isAccepted(await browser.send('PUT', `/app/api/sites/${siteId}/shows`, { podcasts }));
  const read = async (siteId: string) =>
    (await browser.get(`/app/api/sites/${siteId}`)).json().data;

  const circumstances: Readonly<Record<string, () => Promise<unknown>>> = {
    read: async () => undefined,
    silent: () => query("update podcasts set status = 'draft' where id = $1", [show.id]),
    no_plan: () =>
      query("update accounts set plan_state = 'lapsed' where id = $1", [user.accountId]),
    left: () => query('delete from podcast_members where podcast_id = $1', [show.id]),
    cut_off: () =>
      query('update api_key_podcasts set blocked_at = now() where podcast_id = $1', [show.id]),
  };

  it.each(Object.keys(circumstances))(
    'a show may stay with a site if it can be set again: %s',
    async (state) => {
      const { siteId } = await makeSite(app.ctx, user, [show]);
      await circumstances[state]?.();
      const [listed] = (await read(siteId)).shows;
      expect(listed.state).toBe(state);
      expect(await change(siteId, [show.id])).toBe(listed.may_stay);
    },
  );

  const ends: Readonly<Record<string, (siteId: string) => Promise<unknown>>> = {
    active: async () => undefined,
    pending: async () => undefined,
    disconnected: (siteId) => browser.send('POST', `/app/api/sites/${siteId}/disconnect`, {}),
    async expired() {
      for (let day = 0; day < 364; day += 28) {
        await browser.get('/app/api/me');
        app.clock.advance(28 * dayMs);
      }
      app.clock.advance(2 * dayMs);
      await browser.signIn(user.email);
    },
  };

  it.each(Object.keys(ends))(
    'a site is reported as connected if its shows can be changed: %s',
    async (state) => {
      const { siteId } = await makeSite(app.ctx, user, [show], { active: state !== 'pending' });
      await ends[state]?.(siteId);
      const { is_connected: isConnected, ended_at: endedAt } = await read(siteId);
      expect(await change(siteId, [show.id])).toBe(isConnected);
      expect(endedAt === null).toBe(isConnected);
    },
  );

  it('a show without an obstacle is one that a site key and a site accept', async () => {
    const { siteId } = await makeSite(app.ctx, user, [show]);
    await makePodcast(app.ctx, { owner: user, hostingType: 'external' });
    await makePodcast(app.ctx, { owner: user });
    const { data } = (await browser.get('/app/api/connectable-shows')).json();
    const outcomes = [];
    for (const { id, obstacle } of data) {
      const key = await browser.send('POST', '/app/api/site-keys', { podcasts: [id], ...proof });
      expect(isAccepted(key)).toBe(obstacle === null);
      expect(await change(siteId, [show.id, id])).toBe(obstacle === null);
      outcomes.push(obstacle);
    }
    expect(outcomes).toEqual([null, 'hosted_elsewhere', null]);
  });
});
