import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findKeyPrincipal } from '../../../src/domain/access/keys/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../../make.ts';

let app: TestApp;
let user: User;
let browser: Browser;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  app.clock.reset();
  user = await makeUser(app.ctx);
  browser = createBrowser(app);
  await browser.signIn(user.email);
});

const url = '/app/api/keys';
const newKey = (more: object = {}) => ({
  name: 'Website',
  scopes: ['episodes:read', 'podcasts:read'],
  podcasts: 'all',
  expires_in_days: 90,
  current_password: testPassword,
  ...more,
});
const works = async (secret: string) => (await findKeyPrincipal(app.ctx, secret)) !== undefined;
const fieldsOf = (response: { json(): { error: { details: { field: string }[] } } }) =>
  response
    .json()
    .error.details.map(({ field }) => field)
    .sort();

describe('POST /app/api/keys', () => {
  it('creates a key and shows its secret once', async () => {
    const response = await browser.send('POST', url, newKey());
    expect(response.statusCode).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    const { key, secret } = response.json().data;
    expect(await works(secret)).toBe(true);
    expect(key).toEqual({
      id: expect.any(String),
      name: 'Website',
      state: 'active',
      scopes: ['podcasts:read', 'episodes:read'],
      podcasts: 'all',
      cut_off_from: [],
      last_four: secret.slice(-4),
      created_at: '2026-03-10T12:00:00.000Z',
      expires_at: '2026-06-08T12:00:00.000Z',
      revoked_at: null,
      may_roll: true,
      may_widen: true,
      may_add_scopes: ['analytics:read', 'transcripts:read'],
      replaced: null,
      last_use: null,
    });
    const list = await browser.get(url);
    expect(list.json().data).toEqual([key]);
    expect(list.body).not.toContain(secret);
  });

  it('a new key is limited to the user’s podcasts', async () => {
    const mine = await makePodcast(app.ctx, { owner: user });
    const other = await makePodcast(app.ctx);
    const made = await browser.send('POST', url, newKey({ podcasts: [mine.id] }));
    expect(made.json().data.key.podcasts).toEqual([mine.id]);
    const refused = await browser.send('POST', url, newKey({ podcasts: [mine.id, other.id] }));
    expect([refused.statusCode, fieldsOf(refused)]).toEqual([400, ['podcasts']]);
  });

  it('creates one key for a repeated request', async () => {
    const id = newId();
    expect((await browser.send('POST', url, newKey({ id }))).json().data.key.id).toBe(id);
    const again = await browser.send('POST', url, newKey({ id }));
    expect(again.json().error.details).toMatchObject([
      { field: 'id', message: 'This key has already been created.', reason: 'made_already' },
    ]);
    expect((await browser.get(url)).json().data).toHaveLength(1);
  });

  it('POST /app/api/keys is offered until the user has the most active keys', async () => {
    const offer = async () => {
      const { most_active: most, may_create: mayCreate } = (await browser.get(url)).json();
      return [most, mayCreate];
    };
    for (let n = 0; n < 9; n += 1) await makeKey(app.ctx, user);
    expect(await offer()).toEqual([10, true]);
    const { id } = (await browser.send('POST', url, newKey())).json().data.key;
    expect(await offer()).toEqual([10, false]);
    expect((await browser.send('POST', url, newKey())).statusCode).toBeGreaterThanOrEqual(400);
    await browser.send('DELETE', `${url}/${id}`);
    expect(await offer()).toEqual([10, true]);
  });

  it('names every wrong field at once', async () => {
    const wrong = { name: '', scopes: ['sites:write'], podcasts: ['x'], expires_in_days: 91, x: 1 };
    const response = await browser.send('POST', url, wrong);
    expect(response.statusCode).toBe(400);
    expect(fieldsOf(response)).toEqual(
      ['current_password', 'expires_in_days', 'name', 'podcasts', 'scopes', 'x'].sort(),
    );
    expect(response.json().error.details).toContainEqual({
      field: 'podcasts',
      message: 'Choose "all" shows, or 1 to 1000 by their IDs.',
      message_key: 'key_podcasts',
      values: { max: 1000 },
    });
  });

  it('requires the password, and counts wrong ones', async () => {
    const wrong = newKey({ current_password: 'incorrect' });
    const response = await browser.send('POST', url, wrong);
    expect([response.statusCode, fieldsOf(response)]).toEqual([400, ['current_password']]);
    expect(response.body).not.toContain('incorrect');
    for (let i = 0; i < 29; i += 1) await browser.send('POST', url, wrong);
    const slowed = await browser.send('POST', url, newKey());
    expect(slowed.statusCode).toBe(429);
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0);
    expect((await browser.get(url)).json().data).toEqual([]);
  });
});

describe('/app/api/keys/:keyId', () => {
  it('rolls a key with the requested grace', async () => {
    const { key, secret } = await makeKey(app.ctx, user);
    const roll = { grace: '1h', expires_in_days: 30, current_password: testPassword };
    const response = await browser.send('POST', `${url}/${key.id}/roll`, roll);
    expect(response.statusCode).toBe(200);
    const { secret: next, key: rolled } = response.json().data;
    expect([await works(secret), await works(next)]).toEqual([true, true]);
    expect(rolled).toMatchObject({
      id: key.id,
      expires_at: '2026-04-09T12:00:00.000Z',
      replaced: { last_four: key.lastFour, works_until: '2026-03-10T13:00:00.000Z' },
    });
    const stale = { ...roll, last_four: key.lastFour };
    const again = await browser.send('POST', `${url}/${key.id}/roll`, stale);
    expect(again.json().error.details[0].reason).toBe('rolled_already');
  });

  it('widens a key and removes nothing', async () => {
    const podcast = await makePodcast(app.ctx, { owner: user });
    const { key } = await makeKey(app.ctx, user, {
      scopes: ['podcasts:read'],
      podcasts: [podcast.id],
    });
    const response = await browser.send('POST', `${url}/${key.id}/widen`, {
      scopes: ['transcripts:read'],
      podcasts: 'all',
      current_password: testPassword,
    });
    expect(response.json().data).toMatchObject({
      scopes: ['podcasts:read', 'transcripts:read'],
      podcasts: 'all',
    });
    const wrong = { scopes: ['analytics:read'], current_password: 'incorrect' };
    expect((await browser.send('POST', `${url}/${key.id}/widen`, wrong)).statusCode).toBe(400);
  });

  it('revokes one key or all', async () => {
    const [one, two, three] = [
      await makeKey(app.ctx, user),
      await makeKey(app.ctx, user),
      await makeKey(app.ctx, await makeUser(app.ctx)),
    ];
    expect((await browser.send('DELETE', `${url}/${one.key.id}`)).statusCode).toBe(204);
    expect([await works(one.secret), await works(two.secret)]).toEqual([false, true]);
    expect((await browser.send('DELETE', url)).statusCode).toBe(204);
    expect([await works(two.secret), await works(three.secret)]).toEqual([false, true]);
    const states = (await browser.get(url))
      .json()
      .data.map(({ state }: { state: string }) => state);
    expect(states).toEqual(['revoked', 'revoked']);
  });

  it('hides another user’s key', async () => {
    const { key, secret } = await makeKey(app.ctx, await makeUser(app.ctx));
    const current_password = testPassword;
    const responses = [
      await browser.send('DELETE', `${url}/${key.id}`),
      await browser.send('POST', `${url}/${key.id}/widen`, { current_password }),
      await browser.send('POST', `${url}/${key.id}/roll`, {
        grace: 'none',
        expires_in_days: 30,
        current_password,
      }),
    ];
    expect(responses.map((response) => response.statusCode)).toEqual([404, 404, 404]);
    expect(await works(secret)).toBe(true);
    expect((await browser.get(url)).json().data).toEqual([]);
  });
});

describe('GET /app/api/podcasts', () => {
  it('lists the user’s podcasts in pages', async () => {
    const first = await makePodcast(app.ctx, { owner: user, title: 'First' });
    app.clock.advance(1);
    const second = await makePodcast(app.ctx, { owner: user, title: 'Second' });
    await makePodcast(app.ctx);
    const page = (await browser.get('/app/api/podcasts?limit=1')).json();
    expect(page.data).toMatchObject([{ id: first.id, role: 'owner', role_name: 'Owner' }]);
    const { next_cursor: cursor } = page.pagination;
    const next = (await browser.get(`/app/api/podcasts?limit=1&cursor=${cursor}`)).json();
    expect(next).toMatchObject({ data: [{ id: second.id }], pagination: { next_cursor: null } });
    const stranger = createBrowser(app);
    await stranger.signIn((await makeUser(app.ctx)).email);
    const foreign = await stranger.get(`/app/api/podcasts?cursor=${cursor}`);
    expect([foreign.statusCode, fieldsOf(foreign)]).toEqual([400, ['cursor']]);
    expect(fieldsOf(await browser.get('/app/api/podcasts?limit=101'))).toEqual(['limit']);
  });

  it('lists one of them, but none of another user', async () => {
    const mine = await makePodcast(app.ctx, { owner: user, title: 'Mine' });
    await makePodcast(app.ctx, { owner: user, title: 'Another of mine' });
    const foreign = await makePodcast(app.ctx);
    const list = async (id: string) =>
      (await browser.get(`/app/api/podcasts?podcast=${id}`)).json().data;
    expect(await list(mine.id)).toMatchObject([{ id: mine.id, role: 'owner' }]);
    expect(await list(foreign.id)).toEqual([]);
  });
});
