import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { setDomain } from '../../../src/domain/publishing/domains/index.ts';
import { listMembers, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { findEmailToken } from '../../find-emails.ts';
import { makePodcast, makeUser, testPassword } from '../../make.ts';

/** The pages that emails with invitations and offers of ownership link to. */
let app: TestApp;
let owner: User;
let bo: User;
let podcast: Podcast;
let asOwner: Browser;
let browser: Browser;
let people = 0;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  people += 1;
  [owner, bo] = [await makeUser(app.ctx), await makeUser(app.ctx)];
  podcast = await makePodcast(app.ctx, { owner, title: 'Night <Signals>' });
  asOwner = createBrowser(app, { address: `198.51.100.${people}` });
  browser = createBrowser(app, { address: `203.0.113.${people}` });
  await asOwner.signIn(owner.email);
});

const roleOf = async (email: string) =>
  (await listMembers(app.ctx, podcast.id)).find((member) => member.email === email)?.role;
const invite = async (email: string) => {
  const body = { email, role: 'editor' };
  await asOwner.send('POST', `/app/api/podcasts/${podcast.id}/invitations`, body);
  return findEmailToken(app, email);
};
const offer = async (email: string) => {
  const body = { email, current_password: testPassword };
  await asOwner.send('POST', `/app/api/podcasts/${podcast.id}/ownership-offer`, body);
  return findEmailToken(app, email);
};

describe('the page of an invitation', () => {
  it('asks a user with an account to sign in, then to accept', async () => {
    const token = await invite(bo.email);
    const page = await browser.get(`/app/invitation?token=${token}`);
    expect(page.body).toContain('Night &lt;Signals&gt;');
    const [, href = ''] = /href="(\/app\/sign-in\?[^"]*)"/.exec(page.body) ?? [];
    const signIn = new URL(href.replaceAll('&amp;', '&'), 'http://test.local').searchParams;
    expect(signIn.get('email')).toBe(bo.email);
    const next = signIn.get('next') ?? '';
    const fields = { email: bo.email, password: testPassword, next };
    expect((await browser.submit('/app/sign-in', fields)).headers['location']).toBe(next);
    expect((await browser.get(next)).body).toContain('>Accept<');
    const accepted = await browser.submit('/app/invitation', { token });
    expect(accepted.headers['location']).toBe('/app?done=joined');
    expect(await roleOf(bo.email)).toBe('editor');
    const again = await browser.get(`/app/invitation?token=${token}`);
    expect(again.statusCode).toBe(410);
    expect(again.body).toContain('the show is among <a href="/app">your shows</a>');
    const elsewhere = await createBrowser(app).get(`/app/invitation?token=${token}`);
    expect(elsewhere.body).toContain('<a href="/app/sign-in">sign in</a> to find the show');
  });

  it('reports that the invitation is for another user', async () => {
    const token = await invite(bo.email);
    const page = await asOwner.get(`/app/invitation?token=${token}`);
    expect(page.body).toContain(owner.email);
    expect(page.body).not.toContain('>Accept<');
    const forced = await asOwner.submit('/app/invitation', { token });
    expect([forced.statusCode, await roleOf(bo.email)]).toEqual([403, undefined]);
    const nobody = await browser.submit('/app/invitation', { token });
    expect(nobody.headers['location']).toMatch(/^\/app\/sign-in\?next=/);
  });

  it('creates a missing account', async () => {
    const email = `invited-${people}@example.com`;
    const token = await invite(email);
    const page = await browser.get(`/app/invitation?token=${token}`);
    expect(page.body).toContain('action="/app/invitation/sign-up"');
    const wrong = { token, name: 'Cy', password: 'short' };
    const back = await browser.submit('/app/invitation/sign-up', wrong);
    expect([back.statusCode, back.body.includes('value="Cy"')]).toEqual([400, true]);
    const made = await browser.submit('/app/invitation/sign-up', {
      ...wrong,
      password: 'a long password',
    });
    expect(made.headers['location']).toBe('/app?done=joined');
    expect((await browser.get('/app/api/podcasts')).json().data).toMatchObject([
      { id: podcast.id, role: 'editor', role_name: 'Editor', team_keys: false },
    ]);
  });

  it('lets nobody who has a copied link skip the confirmation of the address', async () => {
    const email = `invited-${people}@example.com`;
    await invite(email);
    const [open] = (await asOwner.get(`/app/api/podcasts/${podcast.id}/invitations`)).json().data;
    const { pathname, search, searchParams } = new URL(open.link);
    const page = (await browser.get(pathname + search)).body;
    expect(page).not.toContain('action="/app/invitation/sign-up"');
    const given = {
      token: searchParams.get('token') ?? '',
      name: 'Cy',
      password: 'a long password',
    };
    expect((await browser.submit('/app/invitation/sign-up', given)).statusCode).toBe(400);
    const [, href = ''] = /href="(\/app\/sign-up\?[^"]*)"/.exec(page) ?? [];
    const signUp = new URL(href.replaceAll('&amp;', '&'), 'http://test.local').searchParams;
    const next = signUp.get('next') ?? '';
    expect([signUp.get('email'), next]).toEqual([email, pathname + search]);
    await browser.submit('/app/sign-up', { email, next });
    const confirmation = await findEmailToken(app, email);
    const made = await browser.submit('/app/sign-up/confirm', { ...given, token: confirmation });
    expect(made.headers['location']).toBe(next);
    expect((await browser.get(next)).body).toContain('>Accept<');
    await browser.submit('/app/invitation', { token: given.token });
    expect(await roleOf(email)).toBe('editor');
  });

  it('the page of an invitation can decline the invitation', async () => {
    const token = await invite(bo.email);
    const declined = await browser.submit('/app/invitation/decline', { token });
    expect(declined.headers['location']).toBe('/app/sign-in?done=declined');
    expect((await browser.follow(declined)).body).toContain('declined');
    expect((await browser.get(`/app/invitation?token=${token}`)).statusCode).toBe(410);
    expect((await browser.submit('/app/invitation/decline', { token })).statusCode).toBe(410);
  });
});

describe('the page of an ownership offer', () => {
  // ACCT-20
  it('names the domain that the podcast keeps', async () => {
    const read = async () => (await browser.get(`/app/ownership?token=${token}`)).body;
    const token = await offer(bo.email);
    expect(await read()).not.toContain('keeps its domain');
    await setDomain(app.ctx, podcast.id, 'night-signals.example');
    expect(await read()).toContain('keeps its domain <strong>night-signals.example</strong>');
  });

  it('transfers the podcast on acceptance, with the chosen setting for team keys', async () => {
    const token = await offer(bo.email);
    const page = (await browser.get(`/app/ownership?token=${token}`)).body;
    for (const text of [owner.name, 'Night &lt;Signals&gt;', '/app/sign-in?']) {
      expect(page).toContain(text);
    }
    await browser.signIn(bo.email);
    expect((await browser.get(`/app/ownership?token=${token}`)).body).toContain('team_keys');
    const accepted = await browser.submit('/app/ownership', { token, team_keys: 'true' });
    expect(accepted.headers['location']).toBe('/app?done=handed-over');
    expect([await roleOf(bo.email), await roleOf(owner.email)]).toEqual(['owner', 'admin']);
    expect((await browser.get('/app/api/podcasts')).json().data[0].team_keys).toBe(true);
    const again = await browser.get(`/app/ownership?token=${token}`);
    expect(again.body).toContain('the show is among <a href="/app">your shows</a>');
  });

  it('the page of an ownership offer leads to sign-up if there is no account, and can decline the offer', async () => {
    const token = await offer('new-owner@example.com');
    const page = await browser.get(`/app/ownership?token=${token}`);
    expect(page.body).toContain('/app/sign-up?email=new-owner%40example.com');
    expect((await browser.submit('/app/ownership/decline', { token })).statusCode).toBe(303);
    expect((await browser.get(`/app/ownership?token=${token}`)).statusCode).toBe(410);
    expect(await roleOf(owner.email)).toBe('owner');
  });
});
