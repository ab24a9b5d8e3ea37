import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Language, languageIds } from '../../../src/lib/languages.ts';
import { connectPath } from '../../connect-request.ts';
import { createBrowser, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { findEmailToken } from '../../find-emails.ts';
import { makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ TERMS_VERSION: '2026-01' });
});
afterAll(() => app[Symbol.asyncDispose]());

let visitors = 0;
const visit = (language: string) => {
  visitors += 1;
  const address = `198.51.100.${visitors}`;
  return createBrowser(app, { address, headers: { 'accept-language': language } });
};
const languageOf = async (email: string) => {
  const found = 'select language from emails where recipient = $1 order by id desc limit 1';
  return (await app.database.pool.query(found, [email])).rows[0]?.language;
};
const chosenBy = async (email: string) => {
  const found = 'select language from users where email = $1';
  return (await app.database.pool.query(found, [email])).rows[0]?.language;
};
const password = 'a long enough password';

describe('a page without scripts', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'ltr', 'Anmelden'],
    ['ar', 'ar', 'rtl', 'تسجيل الدخول'],
    ['fi, ja;q=0.5', 'ja', 'ltr', 'サインイン'],
    ['nl, ru', 'en', 'ltr', 'Sign in'],
    ['', 'en', 'ltr', 'Sign in'],
    ['constructor, __proto__;q=1, <script>;q=2, de;q=x', 'en', 'ltr', 'Sign in'],
    [`${'x,'.repeat(4_000)}fr`, 'en', 'ltr', 'Sign in'],
  ])('speaks the language of the browser: %.60s', async (header, language, direction, title) => {
    const page = await visit(header).get('/app/sign-in');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(page.body).toContain(`<h1>${title}</h1>`);
    expect(page.headers['content-language']).toBe(language);
    expect(page.headers['cache-control']).toBe('no-store');
  });

  it.each(languageIds)('a page has nothing in another language: %s', async (language) => {
    const paths = ['sign-in', 'sign-up', 'forgot', 'email-sent', 'sign-up/confirm', 'reset'];
    const others = ['email/confirm', 'invitation', 'ownership'];
    for (const path of [...paths, ...others]) {
      const { body } = await visit(language).get(`/app/${path}?token=x`);
      expect(body, path).toContain(`<html lang="${language}"`);
      expect(body.includes('lang="en"'), path).toBe(language === 'en');
    }
  });

  it('the home page speaks the language of the browser, and says that it depends on it', async () => {
    const page = await visit('de').get('/');
    expect(page.body).toContain('<html lang="de" dir="ltr">');
    expect(page.body).not.toContain('lang="en"');
    expect(page.headers['vary']).toContain('Accept-Language');
    expect(page.headers['cache-control']).toContain('public');
  });

  it('an error page of the app speaks the language of the browser', async () => {
    const { body } = await app.request({
      method: 'POST',
      url: '/app/sign-in',
      headers: { 'accept-language': 'de', origin: 'https://evil.example' },
    });
    expect(body).toContain('<html lang="de"');
  });
});

describe('a form', () => {
  it('a form is refused in the language of the browser', async () => {
    const visitor = visit('de');
    const wrong = { email: 'nobody@example.com', password: 'wrong password' };
    const page = await visitor.submit('/app/sign-in', wrong);
    expect(page.body).toContain('Problem: Anmelden – Podstead');
    expect(page.body).toContain('Die E-Mail-Adresse oder das Passwort ist falsch.');
    expect(page.body).toContain('Bitte korrigieren Sie die unten markierten Felder.');
    expect(page.body).not.toContain('lang="en"');
    const missing = await visitor.submit('/app/sign-in', {});
    expect(missing.body).not.toContain('lang="en"');
  });

  it('a form of a new account names limits in the language of the browser', async () => {
    const visitor = visit('ar');
    await visitor.submit('/app/sign-up', { email: 'limits@example.com' });
    const token = await findEmailToken(app, 'limits@example.com');
    const given = { token, name: 'x'.repeat(300), password: 'short' };
    const { body } = await visitor.submit('/app/sign-up/confirm', given);
    expect(body).toContain('id="password-problem"');
    expect(body).not.toContain('lang="en"');
  });

  it('too many attempts are refused in the language of the browser', async () => {
    const visitor = visit('fr');
    const wrong = { email: 'attempts@example.com', password: 'wrong password' };
    let page = await visitor.submit('/app/sign-in', wrong);
    for (let count = 0; count < 40 && page.statusCode !== 429; count += 1) {
      page = await visitor.submit('/app/sign-in', wrong);
    }
    expect(page.statusCode).toBe(429);
    expect(page.body).toContain('role="alert"');
    expect(page.body).not.toContain('lang="en"');
  });
});

describe('the language of a user', () => {
  // ACCT-25
  it('the language of a user is that in which they signed up, and wins over the browser', async () => {
    const email = 'ana@beispiel.example';
    const visitor = visit('de');
    await visitor.submit('/app/sign-up', { email });
    expect(await languageOf(email)).toBe('de');
    const token = await findEmailToken(app, email);
    const given = { token, name: 'Ana', password, accepts_terms: 'true' };
    await visitor.submit('/app/sign-up/confirm', given);
    expect(await chosenBy(email)).toBe('de');
    const elsewhere = createBrowser(app, { headers: { 'accept-language': 'ja' } });
    expect((await elsewhere.get('/app/sign-in')).headers['content-language']).toBe('ja');
    await elsewhere.submit('/app/sign-in', { email, password });
    expect((await elsewhere.get('/app/email-sent')).headers['content-language']).toBe('de');
  });

  it('the language of a user is chosen in the app', async () => {
    const user = await makeUser(app.ctx);
    const browser = await openSignedIn(app, user);
    const me = async () => (await browser.get('/app/api/me')).json().data.user;
    expect(await me()).toMatchObject({ language: null, name: user.name });
    const change = (body: object) => browser.send('PATCH', '/app/api/me', body);
    expect((await change({ language: 'ja' })).statusCode).toBe(204);
    expect(await me()).toMatchObject({ language: 'ja', name: user.name });
    expect((await change({ language: 'nl' })).statusCode).toBe(400);
    expect((await change({ name: 'Ana' })).statusCode).toBe(204);
    expect(await me()).toMatchObject({ language: 'ja', name: 'Ana' });
    expect((await browser.get('/app')).body).toContain(
      '<meta name="podstead-language" content="ja">',
    );
  });

  it('an invitation has the language of its reader, otherwise of who invites', async () => {
    const owner = await makeUser(app.ctx);
    const member = await makeUser(app.ctx);
    const podcast = await makePodcast(app.ctx, { owner });
    const browser = await openSignedIn(app, owner);
    await browser.send('PATCH', '/app/api/me', { language: 'fr' });
    const asMember = await openSignedIn(app, member);
    await asMember.send('PATCH', '/app/api/me', { language: 'es' });
    const invite = (email: string) =>
      browser.send('POST', `/app/api/podcasts/${podcast.id}/invitations`, {
        email,
        role: 'editor',
      });
    await invite(member.email);
    await invite('neue@example.com');
    expect(await languageOf(member.email)).toBe('es');
    expect(await languageOf('neue@example.com')).toBe('fr');
    const token = await findEmailToken(app, 'neue@example.com');
    const visitor = visit('de');
    const { body } = await visitor.get(`/app/invitation?token=${token}`);
    expect(body).toContain('Ihre Rolle wird sein: <strong>Redakteur</strong>');
    expect(body).not.toContain('lang="en"');
    const given = { token, name: 'Neue', password, accepts_terms: 'true' };
    await visitor.submit('/app/invitation/sign-up', given);
    expect(await chosenBy('neue@example.com')).toBe('de');
  });
});

describe('the page to connect a site', () => {
  const languages: readonly Language[] = ['de', 'ja', 'ar'];
  it.each(languages)('the page to connect a site is in %s', async (language) => {
    const user = await makeUser(app.ctx);
    await makePodcast(app.ctx, { owner: user });
    const browser = await openSignedIn(app, user);
    await browser.send('PATCH', '/app/api/me', { language });
    const { body } = await browser.get(connectPath());
    expect(body).toContain(`<html lang="${language}"`);
    expect(body).not.toContain('lang="en"');
    // What is wrong with a request is for the plugin's makers.
    const refused = await browser.get('/connect?site_url=x');
    expect(refused.body).toContain('<span lang="en" dir="ltr">');
  });
});
