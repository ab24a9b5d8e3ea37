import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/accounts/index.ts';
import { findKeyPrincipal, listKeys } from '../../../src/domain/keys/index.ts';
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
  user = await makeUser(app.ctx);
  browser = createBrowser(app);
  await browser.signIn(user.email);
});

const path = '/app/settings/keys';
const secretForm = /svc_live_[0-9A-Za-z]{49}/;
const secretOn = (body: string) => secretForm.exec(body)?.[0] ?? '';
const works = async (secret: string) => (await findKeyPrincipal(app.ctx, secret)) !== undefined;

/** What the page's form holds before anyone touches it: hidden fields and what is checked. */
function fieldsOn(body: string): Record<string, string> {
  const inputs = [...body.matchAll(/<input [^>]*>/g)].map(([input]) => input);
  const attribute = (input: string, name: string) =>
    new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  const kept = inputs.filter(
    (input) => / name="/.test(input) && (/type="hidden"/.test(input) || / checked/.test(input)),
  );
  return Object.fromEntries(
    kept.map((input) => [attribute(input, 'name'), attribute(input, 'value')]),
  );
}

describe('the page to create a key', () => {
  it('shows the secret only in its response', async () => {
    const fields = fieldsOn((await browser.get(`${path}/new`)).body);
    expect(fields).toMatchObject({ scopes: 'podcasts:read', reach: 'all', expires_in_days: '90' });
    const filled = { ...fields, name: 'Website', current_password: testPassword };
    const answer = await browser.submit(`${path}/new`, filled);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(await works(secretOn(answer.body))).toBe(true);
    expect(answer.headers['location']).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await browser.get(path)).body).not.toMatch(secretForm);

    const reloaded = await browser.submit(`${path}/new`, filled);
    expect(reloaded.statusCode).toBe(409);
    expect(reloaded.body).not.toMatch(secretForm);
    expect(reloaded.body).toContain(`${path}/${fields['id']}/roll`);
    expect(await listKeys(app.ctx, user.id)).toHaveLength(1);
  });

  it('keeps the entered values if some are invalid', async () => {
    const [mine, other] = [
      await makePodcast(app.ctx, { owner: user, title: 'Mine <3' }),
      await makePodcast(app.ctx, { owner: user }),
    ];
    const page = await browser.get(`${path}/new`);
    expect(page.body).toContain('Mine &lt;3');
    const { id = '' } = fieldsOn(page.body);
    const filled = {
      id,
      name: 'For "one"',
      scopes: ['episodes:read', 'transcripts:read'],
      reach: 'some',
      podcasts: [mine.id],
      expires_in_days: '365',
      current_password: 'incorrect',
    };
    const answer = await browser.submit(`${path}/new`, filled);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('value="For &quot;one&quot;"');
    for (const value of ['episodes:read', 'transcripts:read', 'some', mine.id, '365']) {
      expect(answer.body, value).toMatch(new RegExp(`value="${value}"[^>]* checked`));
    }
    for (const value of ['podcasts:read', 'all', other.id, '90']) {
      expect(answer.body, value).not.toMatch(new RegExp(`value="${value}"[^>]* checked`));
    }
    expect(answer.body).toMatch(/id="current_password"[^>]*aria-invalid="true" autofocus/);
    expect(answer.body).toContain(`name="id" value="${id}"`);
    const made = await browser.submit(`${path}/new`, { ...filled, current_password: testPassword });
    expect(await works(secretOn(made.body))).toBe(true);
    const [key] = await listKeys(app.ctx, user.id);
    expect(key).toMatchObject({ podcasts: [mine.id], scopes: filled.scopes });
  });

  it('refuses selected podcasts together with "all", and creates no key', async () => {
    const mine = await makePodcast(app.ctx, { owner: user });
    const filled = {
      ...fieldsOn((await browser.get(`${path}/new`)).body),
      name: 'Website',
      reach: 'all',
      podcasts: [mine.id],
      current_password: testPassword,
    };
    const answer = await browser.submit(`${path}/new`, filled);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('id="reach-problem"');
    expect(await listKeys(app.ctx, user.id)).toHaveLength(0);
    const made = await browser.submit(`${path}/new`, { ...filled, reach: 'some' });
    expect(made.statusCode).toBe(200);
    const [key] = await listKeys(app.ctx, user.id);
    const widening = {
      scopes: ['episodes:read'],
      podcasts: [mine.id],
      all_podcasts: 'true',
      current_password: testPassword,
    };
    expect((await browser.submit(`${path}/${key?.id}/widen`, widening)).statusCode).toBe(400);
    expect((await listKeys(app.ctx, user.id))[0]?.podcasts).toEqual([mine.id]);
  });

  it('shows each error beside its field', async () => {
    const answer = await browser.submit(`${path}/new`, { reach: 'some' });
    expect(answer.statusCode).toBe(400);
    for (const name of ['name', 'expires_in_days', 'current_password']) {
      expect(answer.body).toContain(`id="${name}-problem"`);
    }
  });
});

describe('the pages of a key', () => {
  it('roll it once for each form', async () => {
    const { key, secret } = await makeKey(app.ctx, user);
    const page = await browser.get(`${path}/${key.id}/roll`);
    const fields = { ...fieldsOn(page.body), grace: 'none', current_password: testPassword };
    const answer = await browser.submit(`${path}/${key.id}/roll`, fields);
    const next = secretOn(answer.body);
    expect([await works(secret), await works(next)]).toEqual([false, true]);
    const reloaded = await browser.submit(`${path}/${key.id}/roll`, fields);
    expect(reloaded.statusCode).toBe(409);
    expect(await works(next)).toBe(true);
  });

  it('widen it', async () => {
    const podcast = await makePodcast(app.ctx, { owner: user });
    const { key } = await makeKey(app.ctx, user, {
      scopes: ['podcasts:read'],
      podcasts: [podcast.id],
    });
    const page = await browser.get(`${path}/${key.id}/widen`);
    expect(page.body).not.toContain('value="podcasts:read"');
    expect(page.body).not.toContain(`value="${podcast.id}"`);
    const answer = await browser.submit(`${path}/${key.id}/widen`, {
      scopes: 'analytics:read',
      all_podcasts: 'true',
      current_password: testPassword,
    });
    expect(answer.headers['location']).toBe(`${path}?done=widened`);
    const [widened] = await listKeys(app.ctx, user.id);
    expect(widened).toMatchObject({ podcasts: 'all', scopes: ['podcasts:read', 'analytics:read'] });
    const full = await makeKey(app.ctx, user);
    const nothing = await browser.get(`${path}/${full.key.id}/widen`);
    expect(nothing.body).toContain('already has full access');
  });

  it('revoke it, or all of them', async () => {
    const [one, two] = [await makeKey(app.ctx, user), await makeKey(app.ctx, user)];
    await browser.submit(`${path}/${one.key.id}/revoke`);
    expect([await works(one.secret), await works(two.secret)]).toEqual([false, true]);
    const answer = await browser.submit(`${path}/revoke-all`);
    expect(answer.headers['location']).toBe(`${path}?done=all-revoked`);
    expect(await works(two.secret)).toBe(false);
    expect((await browser.get(path)).body).toContain('Ended in the last 30 days');
  });

  it('are not found for other users', async () => {
    const { key } = await makeKey(app.ctx, await makeUser(app.ctx));
    for (const verb of ['roll', 'widen', 'revoke']) {
      expect((await browser.get(`${path}/${key.id}/${verb}`)).statusCode, verb).toBe(404);
    }
    expect((await browser.submit(`${path}/${key.id}/revoke`)).statusCode).toBe(404);
    expect((await browser.get(`${path}/x/roll`)).statusCode).toBe(400);
  });
});

it('lists keys with their scopes, and reports when the limit is reached', async () => {
  const podcast = await makePodcast(app.ctx, { owner: user, title: 'Night & Signals' });
  for (let i = 0; i < 10; i += 1) {
    await makeKey(app.ctx, user, { name: `Key <${i}>`, podcasts: [podcast.id] });
  }
  const page = await browser.get(path);
  expect(page.body).toContain('Key &lt;9&gt;');
  expect(page.body).toContain('Night &amp; Signals');
  expect(page.body).toContain('Revoke a key before you create another');
  expect(page.body).not.toContain(`${path}/new`);
});

it('accepts podcasts by name if there are too many to list', async () => {
  const first = await makePodcast(app.ctx, { owner: user });
  const others = [];
  for (let i = 0; i < 200; i += 1) others.push(await makePodcast(app.ctx, { owner: user }));
  const hidden = [first, ...others].sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1),
  )[200];
  const page = await browser.get(`${path}/new`);
  expect(page.body).toContain('name="other_podcasts"');
  expect(page.body).not.toContain(`value="${hidden?.id}"`);
  const filled = {
    ...fieldsOn(page.body),
    name: 'Late',
    reach: 'some',
    other_podcasts: `${hidden?.slug}, nobodys`,
    current_password: testPassword,
  };
  const refused = await browser.submit(`${path}/new`, filled);
  expect([
    refused.statusCode,
    refused.body.includes('do not work on these podcasts: nobodys'),
  ]).toEqual([400, true]);
  await browser.submit(`${path}/new`, { ...filled, other_podcasts: ` ${hidden?.slug} ` });
  const [key] = await listKeys(app.ctx, user.id);
  expect(key?.podcasts).toEqual([hidden?.id]);
  expect((await browser.get(path)).body).toContain(`<dd>${hidden?.title}</dd>`);
  expect((await browser.get(`${path}/${key?.id}/widen`)).body).toContain('name="other_podcasts"');

  const list = await browser.get('/app/podcasts');
  expect(list.body).not.toContain(`· ${hidden?.slug}<`);
  const [, more = ''] = /href="(\/app\/podcasts\?after=[^"]*)"/.exec(list.body) ?? [];
  const rest = await browser.get(more);
  expect(rest.body).toContain(`· ${hidden?.slug}<`);
  expect(rest.body).not.toContain('?after=');
});
