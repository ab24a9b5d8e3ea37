import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consumeAttempt, type User } from '../../../src/domain/foundation/accounts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeUser, testPassword } from '../../make.ts';

let app: TestApp;
let user: User;
let browser: Browser;
let networks = 0;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  app.clock.reset();
  user = await makeUser(app.ctx);
  networks += 1;
  browser = createBrowser(app, { address: `198.51.100.${networks}` });
});

const right = () => ({ email: user.email, password: testPassword });
const wrong = () => ({ ...right(), password: 'incorrect horse' });

describe('POST /app/api/sign-in', () => {
  it('starts a new session each time', async () => {
    const response = await browser.send('POST', '/app/api/sign-in', right());
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^podstead_session=[\w-]{43}; Expires=Thu, 09 Apr 2026 12:00:00 GMT; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^podstead_device=[\w.-]{66}; Expires=Wed, 14 Apr 2027 12:00:00 GMT; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const before = browser.cookie;
    expect((await browser.get('/app/api/me')).json().data.user.email).toBe(user.email);
    await browser.send('POST', '/app/api/sign-in', right());
    expect(browser.cookie).not.toBe(before);
    const old = createBrowser(app, { headers: { cookie: before ?? '' } });
    expect((await old.get('/app/api/me')).statusCode).toBe(401);
  });

  it('lets a browser of an earlier session in although strangers have used up the attempts', async () => {
    const { headers } = await browser.send('POST', '/app/api/sign-in', right());
    const [, device = ''] = [headers['set-cookie'] ?? []].flat();
    await browser.send('POST', '/app/api/sign-out', {});
    const limit = { name: 'sign in, address', most: 1_000, windowMs: 15 * 60_000 };
    for (let n = 0; n < 100; n += 1) await consumeAttempt(app.ctx, [limit, user.email]);
    const [cookie = ''] = device.split(';', 1);
    const statusFor = async (own: Record<string, string>) => {
      const other = createBrowser(app, { address: '203.0.113.77', headers: own });
      return (await other.send('POST', '/app/api/sign-in', right())).statusCode;
    };
    expect([await statusFor({}), await statusFor({ cookie })]).toEqual([429, 204]);
  });

  it('responds the same for a wrong password and an unknown address', async () => {
    const responses = [
      await browser.send('POST', '/app/api/sign-in', wrong()),
      await browser.send('POST', '/app/api/sign-in', { ...wrong(), email: 'nobody@example.com' }),
    ];
    const [known, unknown] = responses.map((response) => {
      const { request_id: _, ...error } = response.json().error;
      return { status: response.statusCode, cookie: response.headers['set-cookie'], error };
    });
    expect(known).toMatchObject({ status: 400, error: { code: 'invalid_request' } });
    expect(known?.cookie).toBeUndefined();
    expect(unknown).toEqual(known);
  });

  it('names every wrong property at once', async () => {
    const response = await browser.send('POST', '/app/api/sign-in', { email: 5, extra: true });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toEqual(
      expect.arrayContaining([
        { field: 'email', message: 'This must be a text.' },
        {
          field: 'password',
          message: 'This is required.',
          message_key: 'required',
          values: {},
        },
        { field: 'extra', message: 'Unknown property.' },
      ]),
    );
  });

  it('limits guesses, and states the waiting time', async () => {
    for (let i = 0; i < 10; i += 1) await browser.send('POST', '/app/api/sign-in', wrong());
    const refused = await browser.send('POST', '/app/api/sign-in', right());
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const page = await browser.submit('/app/sign-in', right());
    expect(page.statusCode).toBe(429);
    expect(page.body).toContain('Try again in 15 minutes.');
    app.clock.advance(15 * 60_000);
    expect((await browser.send('POST', '/app/api/sign-in', right())).statusCode).toBe(204);
  });
});

it.each(['/app/', '/app/podcasts'])('%s leads to the app', async (path) => {
  const response = await browser.get(path);
  expect([response.statusCode, response.headers['location']]).toEqual([301, '/app']);
});

describe('the page to sign in', () => {
  it('the page to sign in leads to the requested page, and to no other site', async () => {
    const asked = await browser.get('/app/settings/sessions?x=1');
    expect([asked.statusCode, asked.headers['location']]).toEqual([
      303,
      '/app/sign-in?next=%2Fapp%2Fsettings%2Fsessions%3Fx%3D1',
    ]);
    const page = await browser.get(String(asked.headers['location']));
    expect(page.body).toContain('name="next" value="/app/settings/sessions?x=1"');
    const next = '/app/settings/sessions?x=1';
    const response = await browser.submit('/app/sign-in', { ...right(), next });
    expect([response.statusCode, response.headers['location']]).toEqual([303, next]);
    const elsewhere = { ...right(), next: 'https://evil.example/app' };
    const kept = await browser.submit('/app/sign-in', elsewhere);
    expect(kept.headers['location']).toBe('/app');
  });

  it('shows the errors and the entered address, but not the password', async () => {
    const page = await browser.submit('/app/sign-in', wrong());
    expect(page.statusCode).toBe(400);
    expect(page.body).toContain(`value="${user.email}"`);
    expect(page.body).not.toContain('incorrect horse');
    expect(page.body).toMatch(/id="password"[^>]*aria-invalid="true" autofocus/);
    expect(page.body).toContain('<title>Problem: Sign in – Podstead</title>');
    expect((await browser.submit('/app/sign-in', {})).body).toContain('This is required.');
  });
});

describe('signing out', () => {
  it('ends the session, by the API and by the button', async () => {
    for (const leave of [
      () => browser.send('POST', '/app/api/sign-out', {}),
      () => browser.submit('/app/sign-out'),
    ]) {
      await browser.signIn(user.email);
      const { cookie = '' } = browser;
      expect((await leave()).statusCode).toBeLessThan(400);
      expect(browser.cookie).toBeUndefined();
      const old = createBrowser(app, { headers: { cookie } });
      expect((await old.get('/app/api/me')).statusCode).toBe(401);
    }
    expect((await browser.send('POST', '/app/api/sign-out', {})).statusCode).toBe(204);
  });
});
