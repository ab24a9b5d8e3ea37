import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findKeyPrincipal } from '../../../src/domain/access/keys/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { findEmails } from '../../find-emails.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../make.ts';
import { makeSite } from '../../make-site.ts';

let app: TestApp;
let browser: Browser;
let user: User;
let show: Podcast;
let site: Awaited<ReturnType<typeof makeSite>>;
let people = 0;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  site = await makeSite(app.ctx, user, [show]);
  // Sign-ins of one address are limited.
  people += 1;
  browser = createBrowser(app, { address: `198.51.100.${people}` });
  await browser.signIn(user.email);
});

async function makeSiteOfOther() {
  const other = await makeUser(app.ctx);
  return makeSite(app.ctx, other, [await makePodcast(app.ctx, { owner: other })]);
}

const api = '/app/api/sites';
const data = async (url: string) => (await browser.get(url)).json().data;
const query = (text: string, values: unknown[]) => app.database.pool.query(text, values);

describe('/app/api/sites', () => {
  it('lists the sites of the user', async () => {
    await makeSiteOfOther();
    const listed = await data(api);
    expect(listed).toEqual([await data(`${api}/${site.siteId}`)]);
    expect(listed[0]).toMatchObject({
      id: site.siteId,
      site_url: site.siteUrl,
      admin_url: `${site.siteUrl}wp-admin/`,
      site_name: null,
      status: 'active',
      is_connected: true,
      transcripts: false,
      shows: [{ id: show.id, title: 'Night Signals', slug: show.slug, state: 'read' }],
      plugin_version: '1.0.0',
      ended_at: null,
      last_call: null,
      pings: null,
    });
    expect(Object.keys(listed[0])).not.toContain('ping_secret');
  });

  it('a list has the first 20 shows of each site; a site alone has all', async () => {
    const shows = [show];
    for (let n = 1; n < 22; n += 1) {
      app.clock.advance?.(1_000);
      shows.push(await makePodcast(app.ctx, { owner: user, title: `Show ${n}` }));
    }
    const { siteId } = await makeSite(app.ctx, user, shows.toReversed());
    const ids = shows.map(({ id }) => id);
    const idsOf = (found: { shows: { id: string }[] }) => found.shows.map(({ id }) => id);
    const exported = await data('/app/api/account/export');
    for (const sites of [await data(api), exported.sites]) {
      const listed = sites.find(({ id }: { id: string }) => id === siteId);
      expect(idsOf(listed)).toEqual(ids.slice(0, 20));
      expect(listed.show_count).toBe(22);
    }
    const alone = await data(`${api}/${siteId}`);
    expect(idsOf(alone)).toEqual(ids);
    expect(alone.show_count).toBe(22);
  });

  it('pages, the newest first', async () => {
    app.clock.advance?.(1_000);
    const second = await makeSite(app.ctx, user, [show]);
    const first = (await browser.get(`${api}?limit=1`)).json();
    const rest = (
      await browser.get(`${api}?limit=1&cursor=${first.pagination.next_cursor}`)
    ).json();
    const ids = [...first.data, ...rest.data].map(({ id }: { id: string }) => id).sort();
    expect(ids).toEqual([site.siteId, second.siteId].sort());
    expect(rest.pagination.next_cursor).toBeNull();
  });

  it('shows the progress of the site', async () => {
    const episode = await makeEpisode(app.ctx, show);
    const headers = { authorization: `Bearer ${site.secret}` };
    const changes = `/v1/me/sites/${site.siteId}/changes`;
    const { cursor } = (await app.request({ method: 'GET', url: changes, headers })).json();
    expect((await data(`${api}/${site.siteId}`)).last_call).toMatchObject({
      after_seq: 0,
      behind: 1,
    });
    await app.request({ method: 'GET', url: `${changes}?after=${cursor}`, headers });
    const { last_call: call, head_seq: head } = await data(`${api}/${site.siteId}`);
    expect(call).toMatchObject({ after_seq: cursor, behind: 0 });
    expect(head).toBe(cursor);
    expect(episode.podcastId).toBe(show.id);
  });

  it('shows the states of its shows', async () => {
    await query("update podcasts set status = 'draft' where id = $1", [show.id]);
    const stateOf = async () => (await data(`${api}/${site.siteId}`)).shows[0];
    expect(await stateOf()).toMatchObject({ state: 'silent' });
    await query('update accounts set plan_state = $2 where id = $1', [user.accountId, 'lapsed']);
    expect(await stateOf()).toMatchObject({ state: 'no_plan' });
    await query('delete from podcast_members where podcast_id = $1', [show.id]);
    expect(await stateOf()).toMatchObject({ title: null, slug: null, state: 'left' });
    await query('update api_key_podcasts set blocked_at = now() where podcast_id = $1', [show.id]);
    expect(await stateOf()).toMatchObject({ state: 'cut_off' });
  });

  it('sets the shows, with effect on the next request', async () => {
    const second = await makePodcast(app.ctx, { owner: user });
    const put = (podcasts: readonly string[]) =>
      browser.send('PUT', `${api}/${site.siteId}/shows`, { podcasts });
    const reads = async () => {
      const headers = { authorization: `Bearer ${site.secret}` };
      const response = await app.request({ method: 'GET', url: '/v1/me/podcasts', headers });
      return response.json().data.map(({ id }: { id: string }) => id);
    };
    const changed = await put([second.id.toUpperCase(), show.id, show.id]);
    expect(changed.json().data.shows).toMatchObject([{ id: show.id }, { id: second.id }]);
    expect(await reads()).toEqual([show.id, second.id]);
    await put([second.id]);
    expect(await reads()).toEqual([second.id]);
    await put([]);
    expect(await reads()).toEqual([]);
    await put([show.id]);
    expect(await reads()).toEqual([show.id]);
  });

  it('refuses shows that cannot be connected, and those it was cut off from', async () => {
    const other = await makePodcast(app.ctx);
    const put = (podcasts: readonly string[]) =>
      browser.send('PUT', `${api}/${site.siteId}/shows`, { podcasts });
    const refused = await put([show.id, other.id]);
    expect(refused.json().error.details).toMatchObject([{ field: 'podcasts' }]);
    await query('update api_key_podcasts set blocked_at = now() where key_id = $1', [site.keyId]);
    const cutOff = await put([show.id]);
    expect(cutOff.json().error.details).toMatchObject([{ reason: 'cut_off' }]);
    expect((await put([])).json().data.shows).toMatchObject([{ state: 'cut_off' }]);
  });

  it('a site keeps a show that could not be added any more', async () => {
    await query('update podcasts set hosting_type = $2 where id = $1', [show.id, 'external']);
    const body = { podcasts: [show.id] };
    const kept = await browser.send('PUT', `${api}/${site.siteId}/shows`, body);
    expect(kept.json().data.shows).toMatchObject([{ id: show.id }]);
  });

  it('disconnects a site at once, and no other', async () => {
    const second = await makeSite(app.ctx, user, [show]);
    for (const _ of [1, 2]) {
      const ended = await browser.send('POST', `${api}/${site.siteId}/disconnect`, {});
      expect(ended.json().data).toMatchObject({ status: 'disconnected' });
      expect(ended.json().data.ended_at).not.toBeNull();
    }
    expect(await findKeyPrincipal(app.ctx, site.secret)).toBeUndefined();
    expect(await findKeyPrincipal(app.ctx, second.secret)).toBeDefined();
    const body = { podcasts: [] };
    const late = await browser.send('PUT', `${api}/${site.siteId}/shows`, body);
    expect(late.json().error.details).toMatchObject([{ reason: 'not_connected' }]);
  });

  it('creates a key that a site can register, for the current password', async () => {
    const body = { podcasts: [show.id], transcripts: true, current_password: 'wrong horse' };
    const refused = await browser.send('POST', '/app/api/site-keys', body);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.details).toMatchObject([{ field: 'current_password' }]);
    const made = await browser.send('POST', '/app/api/site-keys', {
      ...body,
      current_password: testPassword,
    });
    const { secret, ...key } = made.json().data;
    expect(made.headers['cache-control']).toBe('no-store');
    expect(await findKeyPrincipal(app.ctx, secret)).toMatchObject({
      kind: 'site',
      site: undefined,
      key: { id: key.id, scopes: expect.arrayContaining(['sites:write', 'transcripts:read']) },
    });
    const day = app.clock.now().getTime() + 24 * 3_600_000;
    expect(Date.parse(key.register_before)).toBe(day);
    const emails = await findEmails(app, user.email);
    expect(emails.at(-1)).toMatchObject({ template: 'site-key-created' });
    expect(await data(api)).toHaveLength(1);
  });

  it('lists the shows that can be connected', async () => {
    await makePodcast(app.ctx, { owner: user, hostingType: 'external' });
    expect(await data('/app/api/connectable-shows')).toMatchObject([
      { id: show.id, obstacle: null },
      { obstacle: 'hosted_elsewhere' },
    ]);
  });

  it('lists them in pages', async () => {
    const other = await makePodcast(app.ctx, { owner: user });
    const first = (await browser.get('/app/api/connectable-shows?limit=1')).json();
    expect(first.data).toMatchObject([{ id: show.id }]);
    const cursor = first.pagination.next_cursor;
    expect(
      (await browser.get(`/app/api/connectable-shows?limit=1&cursor=${cursor}`)).json(),
    ).toMatchObject({ data: [{ id: other.id }], pagination: { next_cursor: null } });
  });
});

describe("another user's site", () => {
  const password = { current_password: testPassword };
  it.each([
    ['GET', (id: string) => `${api}/${id}`, undefined],
    ['GET', (id: string) => `${api}/${id}/posts`, undefined],
    ['PUT', (id: string) => `${api}/${id}/shows`, { podcasts: [] }],
    ['POST', (id: string) => `${api}/${id}/disconnect`, {}],
  ] as const)("another user's site is not found: %s %s", async (method, urlOf, body) => {
    const other = await makeSiteOfOther();
    const ask = (id: string) => {
      if (method === 'GET') return browser.get(urlOf(id));
      return browser.send(method, urlOf(id), body);
    };
    const responses = await Promise.all([ask(other.siteId), ask(newId())]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect((await ask(site.siteId)).statusCode).toBeLessThan(400);
    expect(await findKeyPrincipal(app.ctx, other.secret)).toBeDefined();
  });

  it("another user's site has shows that a new key cannot name", async () => {
    const body = { podcasts: [(await makePodcast(app.ctx)).id], ...password };
    const refused = await browser.send('POST', '/app/api/site-keys', body);
    expect(refused.json().error.details).toMatchObject([{ field: 'podcasts' }]);
  });
});

it('disconnects all sites with a new password', async () => {
  const body = { current_password: testPassword, password: 'a new long password' };
  await browser.send('POST', '/app/api/password', body);
  expect(await data(`${api}/${site.siteId}`)).toMatchObject({ status: 'disconnected' });
  expect(await findKeyPrincipal(app.ctx, site.secret)).toBeUndefined();
});

it('lists what a site has posted, by pages', async () => {
  await query(
    `insert into site_posts (site_id, episode_id, podcast_id, post_url, state, wp_post_id, reported_at)
    select $1, gen_random_uuid(), $2, 'https://blog.example.com/' || n, 'published', n, now()
    from generate_series(1, 60) n`,
    [site.siteId, show.id],
  );
  const url = `${api}/${site.siteId}/posts`;
  const first = (await browser.get(`${url}?limit=50`)).json();
  expect(first.data[0]).toMatchObject({ title: null, state: 'published', up_to_date: null });
  const cursor = encodeURIComponent(first.pagination.next_cursor);
  const second = (await browser.get(`${url}?limit=50&cursor=${cursor}`)).json();
  expect([first.data.length, second.data.length]).toEqual([50, 10]);
  const addresses = [...first.data, ...second.data].map(({ post_url: post }) => post);
  expect(new Set(addresses).size).toBe(60);
  expect(second.pagination.next_cursor).toBeNull();
  const other = await makeSite(app.ctx, user, [show]);
  const elsewhere = await browser.get(`${api}/${other.siteId}/posts?cursor=${cursor}`);
  expect(elsewhere.statusCode).toBe(400);
});

it('creates one key for a repeated request', async () => {
  const body = { id: newId(), podcasts: [show.id], current_password: testPassword };
  const made = await browser.send('POST', '/app/api/site-keys', body);
  const again = await browser.send('POST', '/app/api/site-keys', body);
  expect(again.json().error.details).toMatchObject([{ reason: 'made_already' }]);
  expect(again.body).not.toContain('svc_live_');
  expect(await findKeyPrincipal(app.ctx, made.json().data.secret)).toBeDefined();
});
