import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { findEmails, findEmailToken } from '../../find-emails.ts';
import { makePodcast, makeUser } from '../../make.ts';

const termsUrl = 'https://example.com/terms';
let app: TestApp;
let browser: Browser;
let email: string;
let people = 0;

beforeAll(async () => {
  app = await createTestApp({ TERMS_VERSION: '2026-01', TERMS_URL: termsUrl });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  people += 1;
  email = `new-${people}@example.com`;
  browser = createBrowser(app, { address: `198.51.100.${people}` });
});

const password = 'a long enough password';
const whoAmI = async () => (await browser.get('/app/api/me')).json().data.user;

describe('sign-up that is switched off', () => {
  let closed: TestApp;
  let visitor: Browser;

  beforeAll(async () => {
    closed = await createTestApp({ SIGN_UP: 'off' });
    visitor = createBrowser(closed);
  });
  afterAll(() => closed[Symbol.asyncDispose]());

  it('sign-up is refused with a message, and no page links to it', async () => {
    for (const path of ['/app/sign-up', '/app/sign-up/confirm']) {
      const pages = [await visitor.get(path), await visitor.submit(path, { email })];
      for (const page of pages) {
        expect(page.statusCode, path).toBe(403);
        expect(page.body).toContain('by invitation');
        expect(page.body).not.toContain('id="email"');
      }
    }
    expect((await visitor.get('/app/sign-in')).body).not.toContain('/app/sign-up');
    expect(await findEmails(closed, email)).toEqual([]);
  });

  it('invitations work, and emails create no account', async () => {
    await visitor.submit('/app/forgot', { email });
    const [sent] = await findEmails(closed, email);
    expect(sent).toMatchObject({ template: 'address-unknown-closed' });
    const user = await makeUser(closed.ctx);
    await visitor.signIn(user.email);
    const podcast = await makePodcast(closed.ctx, { owner: user });
    const invitation = { email, role: 'editor' };
    await visitor.send('POST', `/app/api/podcasts/${podcast.id}/invitations`, invitation);
    const given = { token: await findEmailToken(closed, email), name: 'Ana', password };
    const joined = await createBrowser(closed).submit('/app/invitation/sign-up', given);
    expect(joined.headers['location']).toBe('/app?done=joined');
  });
});

describe('the pages to sign up', () => {
  it('the sign-up page responds the same for an address with an account', async () => {
    const { email: known } = await makeUser(app.ctx);
    const responses = [];
    for (const address of [known, email]) {
      const response = await browser.submit('/app/sign-up', { email: address });
      const { 'x-request-id': _, date: __, ...headers } = response.headers;
      responses.push([response.statusCode, response.body, headers]);
    }
    expect(responses[0]?.[0]).toBe(303);
    expect(responses[1]).toEqual(responses[0]);
    const templates = async (address: string) =>
      (await findEmails(app, address)).map(({ template }) => template);
    expect(await templates(known)).toEqual(['address-known']);
    expect(await templates(email)).toEqual(['confirm-email']);
  });

  it('the form of a new account requires the terms, a name and a valid password', async () => {
    await browser.submit('/app/sign-up', { email });
    const token = await findEmailToken(app, email);
    const wrong = { token, name: 'x'.repeat(300), password: 'short' };
    const response = await browser.submit('/app/sign-up/confirm', wrong);
    expect(response.statusCode).toBe(400);
    for (const field of ['accepts_terms', 'name', 'password']) {
      expect(response.body).toContain(`id="${field}-problem"`);
    }
    expect(browser.cookie).toBeUndefined();
  });

  it('the form of a new account requires no consent if there are no terms', async () => {
    await using without = await createTestApp();
    const visitor = createBrowser(without);
    await visitor.submit('/app/sign-up', { email });
    const token = await findEmailToken(without, email);
    const form = await visitor.get(`/app/sign-up/confirm?token=${token}`);
    expect(form.body).not.toContain('accepts_terms');
    const made = await visitor.submit('/app/sign-up/confirm', { token, name: 'Ana', password });
    expect([made.statusCode, made.headers['location']]).toEqual([303, '/app?done=signed-up']);
  });

  it('the pages to sign up lead from the address to the account', async () => {
    const page = await browser.get('/app/sign-up');
    expect(page.body).toMatch(/id="email"[^>]*autocomplete="username"/);
    const asked = await browser.submit('/app/sign-up', { email: ` ${email} ` });
    expect([asked.statusCode, asked.headers['location']]).toEqual([303, '/app/email-sent']);
    expect((await browser.get('/app/email-sent')).statusCode).toBe(200);

    const token = await findEmailToken(app, email);
    const form = await browser.get(`/app/sign-up/confirm?token=${token}`);
    expect(form.body).toContain(`name="token" value="${token}"`);
    expect(form.body).toContain('action="/app/sign-up/confirm"');
    expect(form.body).toContain(email);
    expect(form.body).toContain('version 2026-01');

    const wrong = { token, name: 'Bo', password: 'short', accepts_terms: 'true' };
    const back = await browser.submit('/app/sign-up/confirm', wrong);
    expect(back.statusCode).toBe(400);
    expect(back.body).toContain('value="Bo"');
    expect(back.body).toContain('id="password-problem"');
    expect(back.body).toMatch(/name="accepts_terms" value="true" checked/);
    expect(back.body).toContain(`name="token" value="${token}"`);

    const made = await browser.submit('/app/sign-up/confirm', { ...wrong, password });
    expect([made.statusCode, made.headers['location']]).toEqual([303, '/app?done=signed-up']);
    expect(await whoAmI()).toMatchObject({ name: 'Bo', email });
    expect((await browser.get(`/app/sign-up/confirm?token=${token}`)).statusCode).toBe(410);
  });

  it.each([
    ['/connect?state=a%26b&site_url=https%3A%2F%2Fblog.example%2F', undefined],
    ['/app/invitation?token=x', undefined],
    ['https://evil.example/app', '/app'],
    [`/connect?state=${'x'.repeat(9_000)}`, '/app'],
  ])(
    'the pages to sign up lead to the page that asked for an account: %.60s',
    async (next, otherwise) => {
      const query = `?next=${encodeURIComponent(next)}`;
      const escaped = `?next=${encodeURIComponent(next)}"`;
      expect((await browser.get(`/app/sign-in${query}`)).body).toContain(`/app/sign-up${escaped}`);
      expect((await browser.get(`/app/sign-up${query}`)).body).toContain(`/app/sign-in${escaped}`);
      await browser.submit('/app/sign-up', { email, next });
      const token = await findEmailToken(app, email);
      const fields = { token, name: 'Bo', password, accepts_terms: 'true' };
      const made = await createBrowser(app).submit('/app/sign-up/confirm', fields);
      expect([made.statusCode, made.headers['location']]).toEqual([303, otherwise ?? next]);
    },
  );

  it.each(['', '?token=', '?token=x', `?token=${'a'.repeat(43)}`, '?token=a&token=b'])(
    'the pages to sign up report at once that a link with %j is invalid',
    async (query) => {
      for (const path of ['/app/sign-up/confirm', '/app/reset', '/app/email/confirm']) {
        const page = await browser.get(path + query);
        expect(page.statusCode, path).toBe(410);
        expect(page.body).toContain('This link is no longer valid');
      }
      const fields = { token: 'x', name: 'Bo', password, accepts_terms: 'true' };
      expect((await browser.submit('/app/sign-up/confirm', fields)).statusCode).toBe(410);
    },
  );
});

describe('another name of the machine', () => {
  const host = '127.0.0.1:3900';

  it('the pages lead to the base URL, where their forms work, and requests are refused', async () => {
    const baseUrl = 'http://localhost:3900';
    await using local = await createTestApp({ BASE_URL: baseUrl, EMBED_URL: baseUrl });
    for (const url of ['/app/sign-up?next=%2Fapp', '/app/sign-in', '/app', '/app/shows/x']) {
      const page = await local.request({ url, headers: { host } });
      expect([page.statusCode, page.headers['location']]).toEqual([303, baseUrl + url]);
    }
    const form = await local.request({
      ...{ method: 'POST', url: '/app/sign-up', payload: 'email=bo%40example.com' },
      headers: {
        ...{ host, origin: `http://${host}` },
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    expect(form.statusCode).toBe(403);
    expect(form.body).toContain(`Only pages of ${baseUrl} may send this request`);
    expect(form.body).toContain(`href="${baseUrl}/"`);
  });
});

describe('terms', () => {
  const meTerms = async () => (await browser.get('/app/api/me')).json().data.terms;

  it('terms are accepted in the current version', async () => {
    const user = await makeUser(app.ctx);
    await app.database.pool.query('update users set accepted_terms = null where id = $1', [
      user.id,
    ]);
    await browser.signIn(user.email);
    expect(await meTerms()).toEqual({ version: '2026-01', url: termsUrl, accepted: false });
    const old = await browser.send('POST', '/app/api/terms', { version: '2025-01' });
    expect(old.json().error.details).toMatchObject([{ field: 'version' }]);
    const accepted = await browser.send('POST', '/app/api/terms', { version: '2026-01' });
    expect(accepted.statusCode).toBe(204);
    expect(await meTerms()).toEqual({ version: '2026-01', url: termsUrl, accepted: true });
  });
});
