import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findKeyPrincipal } from '../../../src/domain/access/keys/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { findEmails, findEmailToken } from '../../find-emails.ts';
import { makeKey, makeUser, testPassword } from '../../make.ts';

let app: TestApp;
let user: User;
let here: Browser;
let there: Browser;
let people = 0;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  people += 1;
  user = await makeUser(app.ctx, 'studio');
  const address = `198.51.100.${people}`;
  here = createBrowser(app, { address });
  there = createBrowser(app, { address });
  await here.signIn(user.email);
  await there.signIn(user.email);
});

const next = 'another long password';
const isSignedIn = async (browser: Browser) =>
  (await browser.get('/app/api/me')).statusCode === 200;
const maySignIn = async (password: string) => {
  const fresh = createBrowser(app);
  const body = { email: user.email, password };
  return (await fresh.send('POST', '/app/api/sign-in', body)).statusCode === 204;
};

describe('the profile', () => {
  it('the profile is shown, and the name can be changed', async () => {
    const me = await here.get('/app/api/me');
    expect(me.json().data).toEqual({
      user: { id: user.id, name: user.name, email: user.email, language: null },
      account: { plan: 'studio', plan_name: 'Studio', plan_state: 'active' },
      terms: { version: null, url: null, accepted: true },
      session: { id: expect.any(String) },
      unsent_emails_folder: 'DATA_DIR/emails',
    });
    const name = async () => (await here.get('/app/api/me')).json().data.user.name;
    expect((await here.send('PATCH', '/app/api/me', { name: ' Ana ' })).statusCode).toBe(204);
    expect(await name()).toBe('Ana');
    const refused = await here.send('PATCH', '/app/api/me', { name: ' ' });
    expect(refused.json().error.details).toMatchObject([{ field: 'name' }]);
    expect(await name()).toBe('Ana');
  });
});

describe('a new password', () => {
  it('requires the current one; a missing one does not count as an attempt', async () => {
    const ask = (current: string) =>
      here.send('POST', '/app/api/password', { current_password: current, password: next });
    for (let n = 0; n < 40; n += 1) {
      expect((await ask('')).json().error.details).toMatchObject([
        {
          field: 'current_password',
          message: 'Enter your current password.',
          reason: 'password_missing',
        },
      ]);
    }
    expect((await ask('wrong')).json().error.details[0].reason).toBe('wrong_password');
    expect((await ask(testPassword)).statusCode).toBe(204);
  });

  it('a new password ends all other sessions and every key', async () => {
    const set = (current: string) =>
      here.send('POST', '/app/api/password', { current_password: current, password: next });
    const { secret } = await makeKey(app.ctx, user);
    const wrong = await set('incorrect');
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('current_password');
    expect(await maySignIn(testPassword)).toBe(true);
    expect((await set(testPassword)).statusCode).toBeLessThan(400);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect([await maySignIn(testPassword), await maySignIn(next)]).toEqual([false, true]);
    expect(await findKeyPrincipal(app.ctx, secret)).toBeUndefined();
  });

  it('a new password can be set with an email if the old one is forgotten', async () => {
    const { secret } = await makeKey(app.ctx, user);
    const visitor = createBrowser(app, { address: '203.0.113.9' });
    const asked = await visitor.submit('/app/forgot', { email: user.email });
    expect(asked.headers['location']).toBe('/app/email-sent');
    const token = await findEmailToken(app, user.email);
    const page = await visitor.get(`/app/reset?token=${token}`);
    expect(page.body).toContain(`autocomplete="username" value="${user.email}"`);
    const short = await visitor.submit('/app/reset', { token, password: 'short' });
    expect([short.statusCode, short.body.includes('password-problem')]).toEqual([400, true]);
    const set = await visitor.submit('/app/reset', { token, password: next });
    expect(set.headers['location']).toBe('/app?done=password');
    const signedIn = [await isSignedIn(visitor), await isSignedIn(here), await isSignedIn(there)];
    expect(signedIn).toEqual([true, false, false]);
    expect([await maySignIn(testPassword), await maySignIn(next)]).toEqual([false, true]);
    expect(await findKeyPrincipal(app.ctx, secret)).toBeUndefined();
    expect((await visitor.get(`/app/reset?token=${token}`)).statusCode).toBe(410);
  });

  it('a new password is requested with the same response for an unknown address', async () => {
    const responses = [];
    for (const email of [user.email, 'nobody@example.com']) {
      const response = await here.submit('/app/forgot', { email });
      const { 'x-request-id': _, date: __, ...headers } = response.headers;
      responses.push([response.statusCode, response.body, headers]);
    }
    expect(responses[0]?.[0]).toBe(303);
    expect(responses[1]).toEqual(responses[0]);
  });
});

describe('a new email address', () => {
  it('a new email address is set on the page that the email links to', async () => {
    const email = `moved-${people}@example.com`;
    const ask = (password: string) =>
      here.send('POST', '/app/api/me/email', { email, current_password: password });
    expect((await ask('incorrect')).json().error.details).toMatchObject([
      { field: 'current_password' },
    ]);
    expect((await ask(testPassword)).statusCode).toBe(204);
    const token = await findEmailToken(app, email);
    const page = await here.get(`/app/email/confirm?token=${token}`);
    expect(page.body).toContain(email);
    expect((await here.get('/app/api/me')).json().data.user.email).toBe(user.email);
    const changed = await here.submit('/app/email/confirm', { token });
    expect(changed.headers['location']).toBe('/app?done=email');
    expect((await here.get('/app/api/me')).json().data.user.email).toBe(email);
    expect((await findEmails(app, user.email)).at(-1)?.template).toBe('email-changed');
  });
});
