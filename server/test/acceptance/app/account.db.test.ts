import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../../src/domain/publishing/audio/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { setDownloadsOfDay } from '../../downloads.ts';
import { findEmails } from '../../find-emails.ts';
import { makeEpisode, makeKey, makePodcast, makeUser, testPassword } from '../../make.ts';
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
  people += 1;
  user = await makeUser(app.ctx, 'studio');
  show = await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  browser = createBrowser(app, { address: `203.0.113.${people}` });
  await browser.signIn(user.email);
});

const query = (text: string, values: unknown[]) => app.database.pool.query(text, values);
const count = async (text: string, values: unknown[]) => (await query(text, values)).rowCount;
const end = (body: object = {}) =>
  browser.send('POST', '/app/api/account/deletion', { current_password: testPassword, ...body });

describe('an account', () => {
  it('shows its plan and its usage', async () => {
    const episode = await makeEpisode(app.ctx, show);
    await attachTone(app.ctx, episode.id, 1);
    await makePodcast(app.ctx);
    await setDownloadsOfDay(app, show.id, '2026-03-02', 40);
    await setDownloadsOfDay(app, show.id, '2026-02-28', 9);
    const { data } = (await browser.get('/app/api/account')).json();
    expect(data).toMatchObject({
      plan: {
        id: 'studio',
        name: 'Studio',
        state: 'active',
        api: true,
        requests_per_minute: 120,
        monthly_downloads: 500_000,
      },
      usage: { month: '2026-03-01', downloads: 40, shows: 1, episodes: 1 },
      storage: { image_bytes: 0, upload_bytes: 0, included_bytes: 500_000_000_000, is_near: false },
    });
    expect(data.storage.audio_bytes).toBeGreaterThan(1_000);
    expect(data.storage.used_bytes).toBe(data.storage.audio_bytes);
  });

  it('an account counts the downloads of this month alone, wherever it shows them', async () => {
    app.clock.set(new Date('2026-03-31T12:00:00Z'));
    // A log that is dated ahead has downloads of tomorrow.
    await setDownloadsOfDay(app, show.id, '2026-04-01', 450_000);
    const read = async () => {
      const account = (await browser.get('/app/api/account')).json().data;
      const home = (await browser.get('/app/api/home')).json();
      return [account.usage.downloads, account.overage, home.account_needs];
    };
    expect(await read()).toEqual([0, null, []]);
    app.clock.set(new Date('2026-04-01T00:00:00Z'));
    const near = expect.objectContaining({ kind: 'downloads_near', downloads: 450_000 });
    expect(await read()).toEqual([450_000, near, [near]]);
    app.clock.reset();
  });

  it('an account is exported without a secret', async () => {
    const { secret } = await makeKey(app.ctx, user, { name: 'Reader' });
    const site = await makeSite(app.ctx, user, [show]);
    const response = await browser.get('/app/api/account/export');
    expect(response.headers['content-disposition']).toBe(
      'attachment; filename="account-2026-03-10.json"',
    );
    expect(response.json().data).toMatchObject({
      user: { id: user.id, email: user.email },
      account: { plan: 'studio' },
      podcasts: [{ id: show.id, role: 'owner' }],
      sessions: [{ current: true }],
      keys: [{ name: 'Reader' }],
      sites: [{ id: site.siteId }],
      imports: [],
      emails: { unwanted: [] },
    });
    for (const hidden of [secret, 'ping_secret', 'password_hash']) {
      expect(response.body).not.toContain(hidden);
    }
  });
});

it('stores which emails its user does not want', async () => {
  const path = '/app/api/account/emails';
  const optional = ['key-expires', 'site-expires', 'keys-cut-off', 'member-removed'];
  expect((await browser.get(path)).json().data).toEqual({ optional, unwanted: [] });
  const choose = (unwanted: string[]) => browser.send('PUT', path, { unwanted });
  expect((await choose(['member-removed', 'key-expires'])).statusCode).toBe(204);
  const unwanted = ['key-expires', 'member-removed'];
  expect((await browser.get(path)).json().data).toEqual({ optional, unwanted });
  expect((await choose(['password-changed'])).statusCode).toBe(400);
  expect((await browser.get(path)).json().data.unwanted).toEqual(unwanted);
});

describe('the end of an account', () => {
  it('the deletion of an account waits while the user owns shows', async () => {
    const refused = await end();
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.details).toEqual([
      {
        field: 'with_shows',
        message: 'You own "Night Signals". Transfer or delete it first.',
        message_key: 'owns_show',
        values: { title: 'Night Signals' },
        reason: 'owns_shows',
      },
    ]);
    expect((await browser.get('/app/api/me')).statusCode).toBe(200);
  });

  it('the deletion of an account needs the password, and touches no show without it', async () => {
    const refused = await end({ current_password: 'wrong', with_shows: true });
    expect(refused.json().error.details).toMatchObject([{ reason: 'wrong_password' }]);
    expect(await count('select from podcasts where id = $1', [show.id])).toBe(1);
  });

  it('the deletion of an account ends sessions, keys, sites and memberships, and is confirmed by an email', async () => {
    const other = await makePodcast(app.ctx);
    await addMember(app.ctx, { podcastId: other.id, userId: user.id, role: 'admin' });
    const { secret } = await makeKey(app.ctx, user);
    await makeSite(app.ctx, user, [show]);
    const elsewhere = createBrowser(app, { address: `198.51.100.${people}` });
    await elsewhere.signIn(user.email);
    const ended = await end({ with_shows: true });
    expect(ended.statusCode).toBe(204);
    expect(String(ended.headers['set-cookie'])).toContain('Max-Age=0');
    for (const as of [browser, elsewhere]) {
      expect((await as.get('/app/api/me')).statusCode).toBe(401);
    }
    const headers = { authorization: `Bearer ${secret}` };
    const keyed = await app.request({ method: 'GET', url: '/v1/me', headers });
    expect(keyed.statusCode).toBe(401);
    expect(await count('select from podcasts where id = $1', [show.id])).toBe(0);
    expect(await count('select from accounts where id = $1', [user.accountId])).toBe(0);
    expect(await count('select from podcasts where id = $1', [other.id])).toBe(1);
    const emails = await findEmails(app, user.email);
    expect(emails.at(-1)).toMatchObject({
      template: 'account-deleted',
      values: { name: user.name },
    });
    const again = await createBrowser(app).submit('/app/sign-in', {
      email: user.email,
      password: testPassword,
    });
    expect(again.statusCode).not.toBe(303);
  });
});
