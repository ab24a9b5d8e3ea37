import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { findEmails, findEmailToken } from '../../find-emails.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../../make.ts';

let app: TestApp;
let owner: User;
let bo: User;
let podcast: Podcast;
let asOwner: Browser;
let asBo: Browser;
let url: string;
let people = 0;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  people += 1;
  [owner, bo] = [await makeUser(app.ctx), await makeUser(app.ctx)];
  podcast = await makePodcast(app.ctx, { owner, title: 'Night Signals' });
  asOwner = createBrowser(app, { address: `198.51.100.${people}` });
  asBo = createBrowser(app, { address: `203.0.113.${people}` });
  await asOwner.signIn(owner.email);
  await asBo.signIn(bo.email);
  url = `/app/api/podcasts/${podcast.id}`;
});

const invite = (more: object = {}) =>
  asOwner.send('POST', `${url}/invitations`, { email: bo.email, role: 'editor', ...more });
const join = async (more: object = {}) => {
  await invite(more);
  const token = await findEmailToken(app, bo.email);
  await asBo.submit('/app/invitation', { token });
};
const members = async () =>
  (await asOwner.get(`${url}/members`)).json().data as { user_id: string; role: string }[];
const roleOf = async ({ id }: User) =>
  (await members()).find((member) => member.user_id === id)?.role;

describe('an invitation', () => {
  it('an invitation leads from an email to a membership', async () => {
    const made = await invite({ role: 'custom', role_name: 'Archivist', capabilities: [] });
    expect(made.statusCode).toBe(201);
    expect(made.json().data).toEqual({
      id: expect.any(String),
      email: bo.email,
      role: 'custom',
      role_name: 'Archivist',
      capabilities: [],
      created_at: '2026-03-10T12:00:00.000Z',
      expires_at: '2026-03-24T12:00:00.000Z',
      may_manage: true,
      link: expect.stringContaining('/app/invitation?token='),
    });
    expect((await asOwner.get(`${url}/invitations`)).json().data).toEqual([made.json().data]);
    const token = await findEmailToken(app, bo.email);
    const page = await createBrowser(app).get(`/app/invitation?token=${token}`);
    for (const text of ['Night Signals', owner.name, 'Archivist'])
      expect(page.body).toContain(text);
    await asBo.submit('/app/invitation', { token });
    expect(await roleOf(bo)).toBe('custom');
  });

  it('an invitation is declined with the email, or withdrawn', async () => {
    await invite();
    const token = await findEmailToken(app, bo.email);
    const declined = await createBrowser(app).submit('/app/invitation/decline', { token });
    expect(declined.statusCode).toBe(303);
    expect((await asOwner.get(`${url}/invitations`)).json().data).toEqual([]);
    const { id } = (await invite()).json().data;
    expect((await asBo.send('DELETE', `${url}/invitations/${id}`)).statusCode).toBe(404);
    expect((await asOwner.send('DELETE', `${url}/invitations/${id}`)).statusCode).toBe(204);
    expect((await asOwner.get(`${url}/invitations`)).json().data).toEqual([]);
  });

  it('an invitation names its errors', async () => {
    const fields = async (body: object) =>
      (await invite(body))
        .json()
        .error.details.map(({ field }: { field: string }) => field)
        .sort();
    expect(await fields({ role: 'owner', x: 1 })).toEqual(['role', 'x']);
    expect(await fields({ email: 'x', role: 'custom' })).toEqual([
      'capabilities',
      'email',
      'role_name',
    ]);
    expect(await fields({ role: 'custom', role_name: 'A', capabilities: ['all'] })).toEqual([
      'capabilities',
    ]);
  });
});

describe('members', () => {
  it('members are listed only for users who manage the team', async () => {
    await join();
    expect((await members())[0]).toEqual({
      user_id: owner.id,
      name: owner.name,
      email: owner.email,
      role: 'owner',
      role_name: 'Owner',
      capabilities: expect.arrayContaining(['team.manage', 'show.move_feed']),
      sees_all_episodes: true,
      credited_episodes: 0,
      created_at: '2026-03-10T12:00:00.000Z',
      may_become: [],
      may_remove: false,
    });
    expect((await asBo.get(`${url}/members`)).statusCode).toBe(403);
    const stranger = createBrowser(app);
    await stranger.signIn((await makeUser(app.ctx)).email);
    expect((await stranger.get(`${url}/members`)).statusCode).toBe(404);
  });

  it('members change roles, are removed, and leave', async () => {
    await join();
    const member = `${url}/members/${bo.id}`;
    expect((await asOwner.send('PUT', member, { role: 'analyst' })).statusCode).toBe(204);
    expect(await roleOf(bo)).toBe('analyst');
    const grab = await asBo.send('PUT', member, { role: 'admin' });
    expect([grab.statusCode, await roleOf(bo)]).toEqual([403, 'analyst']);
    expect((await asOwner.send('DELETE', member)).statusCode).toBe(204);
    expect(await roleOf(bo)).toBeUndefined();
    await join();
    expect((await asBo.send('POST', `${url}/leave`, {})).statusCode).toBe(204);
    expect(await roleOf(bo)).toBeUndefined();
    expect((await asOwner.send('POST', `${url}/leave`, {})).statusCode).toBe(403);
    expect((await asOwner.send('DELETE', `${url}/members/${owner.id}`)).statusCode).toBe(403);
  });
});

describe('keys of the team', () => {
  it('keys of the team are allowed and cut off by the owner', async () => {
    await join({ role: 'admin' });
    const allow = (browser: Browser) => browser.send('PUT', `${url}/team-keys`, { allowed: true });
    expect((await allow(asBo)).statusCode).toBe(403);
    expect((await allow(asOwner)).statusCode).toBe(204);
    const [mine] = (await asOwner.get('/app/api/podcasts')).json().data;
    expect(mine.team_keys).toBe(true);

    await makeKey(app.ctx, bo, { podcasts: [podcast.id] });
    await makeKey(app.ctx, owner);
    const cutOff = (browser: Browser) => browser.send('POST', `${url}/keys/cut-off`, {});
    expect((await cutOff(asBo)).statusCode).toBe(403);
    expect((await cutOff(asOwner)).json().data).toEqual({ blocked_keys: 2, revoked_keys: 1 });
    const [key] = (await asOwner.get('/app/api/keys')).json().data;
    expect(key).toMatchObject({ state: 'active', cut_off_from: [podcast.id] });
  });
});

describe('a transfer of ownership', () => {
  const offer = (email: string, password = testPassword) =>
    asOwner.send('POST', `${url}/ownership-offer`, { email, current_password: password });

  it('requires the password, an email and consent', async () => {
    await join();
    expect((await offer(bo.email, 'incorrect')).json().error.details).toMatchObject([
      { field: 'current_password' },
    ]);
    const made = await offer(bo.email);
    expect([made.statusCode, made.json().data.email]).toEqual([201, bo.email]);
    expect((await asOwner.get(`${url}/ownership-offer`)).json().data).toEqual(made.json().data);
    expect(Object.keys(made.json().data).sort()).toEqual(['created_at', 'email', 'expires_at']);
    const accept = { token: await findEmailToken(app, bo.email), team_keys: 'true' };
    const foreign = await asOwner.submit('/app/ownership', accept);
    expect([foreign.statusCode, await roleOf(owner)]).toEqual([403, 'owner']);
    const moved = await asBo.submit('/app/ownership', accept);
    expect(moved.headers['location']).toBe('/app?done=handed-over');
    expect([await roleOf(bo), await roleOf(owner)]).toEqual(['owner', 'admin']);
    const [mine] = (await asBo.get('/app/api/podcasts')).json().data;
    expect(mine).toMatchObject({ role: 'owner', team_keys: true });
    expect((await asOwner.get(`${url}/ownership-offer`)).statusCode).toBe(403);
  });

  it('a transfer of ownership is withdrawn, or declined', async () => {
    await offer(bo.email);
    expect((await asOwner.send('DELETE', `${url}/ownership-offer`)).statusCode).toBe(204);
    expect((await asOwner.get(`${url}/ownership-offer`)).json().data).toBeNull();
    await offer(bo.email);
    const emails = await findEmails(app, bo.email);
    expect(emails.at(-1)?.template).toBe('ownership-offer');
    const token = await findEmailToken(app, bo.email);
    const declined = await createBrowser(app).submit('/app/ownership/decline', { token });
    expect(declined.headers['location']).toBe('/app/sign-in?done=offer-declined');
    expect((await asOwner.get(`${url}/ownership-offer`)).json().data).toBeNull();
    expect(await roleOf(owner)).toBe('owner');
  });
});
