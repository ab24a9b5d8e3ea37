import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeUser, testPassword } from '../../make.ts';

let app: TestApp;
let user: User;
let here: Browser;
let there: Browser;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  app.clock.reset();
  user = await makeUser(app.ctx);
  here = createBrowser(app);
  there = createBrowser(app, { headers: { 'user-agent': '<b>curl</b>/8' } });
  await here.signIn(user.email);
  await there.signIn(user.email);
});

const list = async (browser: Browser) =>
  (await browser.get('/app/api/sessions')).json().data as { id: string; current: boolean }[];
const isSignedIn = async (browser: Browser) =>
  (await browser.get('/app/api/me')).statusCode === 200;
const idOf = async (browser: Browser) =>
  (await list(browser)).find(({ current }) => current)?.id ?? '';

describe('/app/api/sessions', () => {
  it('lists the sessions, and marks the current one', async () => {
    expect(await list(here)).toHaveLength(2);
    expect((await list(here)).filter(({ current }) => current)).toHaveLength(1);
    expect(await idOf(here)).not.toBe(await idOf(there));
    const [session] = await list(here);
    expect(session).toEqual({
      id: expect.any(String),
      user_agent: expect.any(String),
      created_at: '2026-03-10T12:00:00.000Z',
      last_used_at: '2026-03-10T12:00:00.000Z',
      expires_at: '2026-04-09T12:00:00.000Z',
      current: expect.any(Boolean),
    });
  });

  it('ends one session, or all others', async () => {
    const third = createBrowser(app);
    await third.signIn(user.email);
    const ended = await here.send('DELETE', `/app/api/sessions/${await idOf(there)}`);
    expect(ended.statusCode).toBe(204);
    expect([await isSignedIn(there), await isSignedIn(third)]).toEqual([false, true]);
    expect((await here.send('DELETE', '/app/api/sessions')).statusCode).toBe(204);
    expect([await isSignedIn(here), await isSignedIn(third)]).toEqual([true, false]);
  });

  it('hides another user’s session', async () => {
    const stranger = createBrowser(app);
    await stranger.signIn((await makeUser(app.ctx)).email);
    const response = await stranger.send('DELETE', `/app/api/sessions/${await idOf(here)}`);
    expect(response.statusCode).toBe(404);
    expect(await isSignedIn(here)).toBe(true);
    expect((await here.send('DELETE', '/app/api/sessions/me')).statusCode).toBe(404);
  });
});

it('using a session extends it, also in the cookie', async () => {
  app.clock.advance(3_600_000);
  const used = await here.get('/app/settings');
  expect(used.headers['set-cookie']).toContain('Expires=Thu, 09 Apr 2026 13:00:00 GMT');
  expect((await here.get('/app/settings')).headers['set-cookie']).toBeUndefined();
});

describe('the confirmation of an action', () => {
  const url = '/app/sign-in?done=password';

  it.each([
    undefined,
    'https://evil.example/app/done',
    'http://test.local/listen/show',
    'http://test.local.evil.example/app/settings',
    'no address',
  ])('the confirmation of an action cannot be shown by a link to %s', async (referer) => {
    const asked = await app.request({
      url,
      headers: { cookie: here.cookie ?? '', ...(referer === undefined ? {} : { referer }) },
    });
    expect(asked.body).not.toContain('Your password was changed.');
  });

  it('the confirmation of an action is shown after a page of ours', async () => {
    const headers = { cookie: here.cookie ?? '', referer: 'http://test.local/app/reset' };
    const page = await app.request({ url, headers });
    expect([page.statusCode, page.body.includes('Your password was changed.')]).toEqual([
      200,
      true,
    ]);
  });

  it('the confirmation of an action is not shown because of a return path', async () => {
    const fields = { email: user.email, password: testPassword, next: url };
    const signedIn = await createBrowser(app).submit('/app/sign-in', fields);
    expect(signedIn.headers['location']).toBe('/app/sign-in');
  });
});
