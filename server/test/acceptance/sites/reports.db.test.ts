import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeShows, getSite } from '../../../src/domain/exchange/sites/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { unpublishEpisode } from '../../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { askWithKey, countStatements } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';
import { makeSite } from '../../make-site.ts';
import { codeOf, postWithKey, siteVersions, wrongOf } from './ask-as-site.ts';

let app: TestApp;
let ana: User;
let show: Podcast;
let site: Awaited<ReturnType<typeof makeSite>>;

beforeAll(async () => {
  app = await createTestApp();
  ana = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner: ana });
});
beforeEach(async () => {
  site = await makeSite(app.ctx, ana, [show]);
});
afterEach(() => app.clock.reset());
afterAll(() => app[Symbol.asyncDispose]());

const post = (path: string, body: object) =>
  postWithKey(app, site.secret, `/v1/me/sites/${site.siteId}/${path}`, body);
const stored = () => getSite(app.ctx, site.siteId);

describe('a verification', () => {
  // SITE-20
  it('activates a site once, also of several at once', async () => {
    site = await makeSite(app.ctx, ana, [show], { active: false });
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => post('verify', { ...siteVersions, site_name: ' Blog ' })),
    );
    const activated = responses.map((response) => response.json().data.activated);
    expect(activated.sort()).toEqual([false, false, false, false, true]);
    expect(responses[0]?.json().data).toMatchObject({
      site_id: site.siteId,
      status: 'active',
      podcasts: [show.id],
    });
    const { status, activatedAt, siteName, pluginVersion, wpVersion, phpVersion } = await stored();
    expect({ status, activatedAt, siteName }).toEqual({
      ...{ status: 'active', activatedAt: app.clock.now(), siteName: 'Blog' },
    });
    expect([pluginVersion, wpVersion, phpVersion]).toEqual(['1.0.0', '6.9', '8.4.1']);
  });

  // REQ-7
  it('a verification keeps the earlier name if it has none', async () => {
    await post('verify', { ...siteVersions, site_name: '🎙️'.slice(0, 2) });
    await post('verify', { ...siteVersions, site_name: '   ' });
    expect((await post('verify', { ...siteVersions, unknown: 1 })).statusCode).toBe(200);
    expect((await stored()).siteName).toBe('🎙');
  });

  it.each<[object, string]>([
    [{}, 'plugin_version, wp_version, php_version'],
    [{ ...siteVersions, plugin_version: '' }, 'plugin_version'],
    [{ ...siteVersions, wp_version: 'x'.repeat(33) }, 'wp_version'],
    [{ ...siteVersions, php_version: '8.4;' }, 'php_version'],
    [{ ...siteVersions, php_version: '8.4\n' }, 'php_version'],
    [{ ...siteVersions, site_name: '' }, 'site_name'],
    [{ ...siteVersions, site_name: 'x'.repeat(201) }, 'site_name'],
    [{ ...siteVersions, site_name: 'a\tb' }, 'site_name'],
    [{ ...siteVersions, site_name: 'a\u202eb' }, 'site_name'],
    [{ ...siteVersions, site_name: 'a\u200bb' }, 'site_name'],
    [{ ...siteVersions, site_name: null }, 'site_name'],
  ])('refuses %j', async (body, wrong) => {
    const response = await post('verify', body);
    expect([codeOf(response), wrongOf(response)]).toEqual(['400 invalid_request', wrong]);
  });

  // SITE-36
  it('accepts names of 200 characters and versions of 32', async () => {
    const version = '1.0+build_x -Z'.padEnd(32, '0');
    const versions = { plugin_version: version, wp_version: version, php_version: version };
    const response = await post('verify', { ...versions, site_name: '😀'.repeat(200) });
    expect(response.statusCode, response.body).toBe(200);
    expect((await stored()).siteName).toBe('😀'.repeat(200));
  });
});

describe('a report of health', () => {
  // SITE-14, SITE-36
  it('replaces the last report, and adds up the errors', async () => {
    const adminUrl = `${site.siteUrl}wp-admin/options-general.php?page=podstead`;
    const last = '2026-03-01T05:00:00.5+01:00';
    const first = { ...siteVersions, admin_url: adminUrl, last_sync_at: last };
    const response = await post('health', { ...first, sync_error_count: 3, unknown: true });
    expect(response.json().data).toEqual({
      site_id: site.siteId,
      status: 'active',
      received_at: app.clock.now().toISOString(),
    });
    app.clock.advance(60_000);
    await post('health', { ...siteVersions, plugin_version: '1.0.1', sync_error_count: 4 });
    await Promise.all(
      Array.from({ length: 5 }, () => post('health', { ...siteVersions, sync_error_count: 1 })),
    );
    expect(await stored()).toMatchObject({
      ...{ adminUrl, syncErrorCount: 12, pluginVersion: '1.0.0' },
      lastSyncAt: new Date('2026-03-01T04:00:00.500Z'),
      reportedAt: app.clock.now(),
    });
    await post('health', { ...siteVersions, last_sync_at: null });
    expect(await stored()).toMatchObject({ lastSyncAt: null, syncErrorCount: 12 });
  });

  it('a report of health counts from 0 again after a new connection, which keeps the rest', async () => {
    const adminUrl = `${site.siteUrl}wp-admin/admin.php`;
    await post('health', { ...siteVersions, admin_url: adminUrl, sync_error_count: 3 });
    await makeSite(app.ctx, ana, [show], { siteUrl: site.siteUrl });
    expect(await stored()).toMatchObject({ syncErrorCount: 0, adminUrl, wpVersion: '6.9' });
  });

  // SITE-14
  it('a report of health knows where the settings are if no report says', async () => {
    expect((await stored()).adminUrl).toBe(`${site.siteUrl}wp-admin/`);
  });

  it.each<[object, string]>([
    [
      { php_version: '', admin_url: '', last_sync_at: 1, sync_error_count: -1 },
      'plugin_version, wp_version, php_version, admin_url, last_sync_at, sync_error_count',
    ],
    [{ ...siteVersions, admin_url: 'https://x.example/wp-admin/' }, 'admin_url'],
    [{ ...siteVersions, last_sync_at: 'yesterday' }, 'last_sync_at'],
    [{ ...siteVersions, last_sync_at: '-1h' }, 'last_sync_at'],
    [{ ...siteVersions, last_sync_at: '2026-02-30T00:00:00Z' }, 'last_sync_at'],
    [{ ...siteVersions, last_sync_at: '2026-03-01T05:00:00' }, 'last_sync_at'],
    [{ ...siteVersions, last_sync_at: '' }, 'last_sync_at'],
    [{ ...siteVersions, sync_error_count: 1_000_001 }, 'sync_error_count'],
    [{ ...siteVersions, sync_error_count: 0.5 }, 'sync_error_count'],
    [{ ...siteVersions, sync_error_count: '1' }, 'sync_error_count'],
  ])('refuses %j', async (body, wrong) => {
    const response = await post('health', body);
    expect([codeOf(response), wrongOf(response)]).toEqual(['400 invalid_request', wrong]);
    expect((await stored()).syncErrorCount).toBe(0);
  });
});

describe('a report of a post', () => {
  const report = (more: object = {}) => ({
    post_url: `${site.siteUrl}?p=7`,
    state: 'published',
    wp_post_id: 7,
    ...more,
  });
  const changes = async () =>
    (await askWithKey(app, site.secret, `/v1/me/sites/${site.siteId}/changes?limit=100`)).json()
      .data;
  const changeOf = async (episodeId: string) =>
    (await changes()).find((change: { episode_id: string }) => change.episode_id === episodeId);

  // SITE-34, SITE-35
  it('replaces the last report of the post', async () => {
    const { id } = await makeEpisode(app.ctx, show);
    const { content_hash: hash } = await changeOf(id);
    const queued = await post(`episodes/${id}/post`, report({ state: 'queued' }));
    expect(queued.json().data).toEqual({
      episode_id: id,
      state: 'queued',
      post_url: `${site.siteUrl}?p=7`,
      wp_post_id: 7,
      content_hash: null,
      up_to_date: false,
      reported_at: app.clock.now().toISOString(),
    });
    app.clock.advance(1_000);
    const again = report({ content_hash: hash, wp_post_id: 2 ** 53 - 1, unknown: 1 });
    const path = `episodes/${id.toUpperCase()}/post`;
    const [first, second] = [await post(path, again), await post(path, again)];
    expect(first.json()).toEqual(second.json());
    expect(first.json().data).toMatchObject({
      ...{ episode_id: id, state: 'published', wp_post_id: 9_007_199_254_740_991 },
      ...{ content_hash: hash, up_to_date: true },
    });
    const outdated = await post(path, report({ content_hash: 'sha256:x_y-z' }));
    expect(outdated.json().data.up_to_date).toBe(false);
  });

  // SITE-35
  it('a report of a post is accepted for an episode that was not read in the feed yet', async () => {
    const { id } = await makeEpisode(app.ctx, show);
    expect(codeOf(await post(`episodes/${id}/post`, report()))).toBe('200');
    const inAMinute = new Date(app.clock.now().getTime() + 60_000);
    const due = await makeEpisode(app.ctx, show, { status: 'scheduled', scheduledFor: inAMinute });
    expect(codeOf(await post(`episodes/${due.id}/post`, report()))).toBe('404 not_found');
    app.clock.advance(60_000);
    expect(codeOf(await post(`episodes/${due.id}/post`, report()))).toBe('200');
  });

  // SITE-35
  it('a report of a post is accepted for an episode with a tombstone', async () => {
    const { id } = await makeEpisode(app.ctx, show);
    const { content_hash: hash } = await changeOf(id);
    await unpublishEpisode(app.ctx, id);
    expect(await changeOf(id)).toMatchObject({ type: 'tombstone', reason: 'unpublished' });
    const kept = await post(`episodes/${id}/post`, report({ content_hash: hash }));
    expect(kept.json().data).toMatchObject({ up_to_date: false });
    const done = await post(`episodes/${id}/post`, report({ state: 'draft' }));
    expect(done.json().data).toMatchObject({ up_to_date: true, content_hash: null });
  });

  // SITE-30
  it('a report of a post stays detached while its show is removed', async () => {
    const { id } = await makeEpisode(app.ctx, show);
    const detached = async () =>
      (
        await app.database.pool.query(
          'select detached_at as at from site_posts where site_id = $1 and episode_id = $2',
          [site.siteId, id],
        )
      ).rows[0]?.at;
    await post(`episodes/${id}/post`, report());
    expect(await detached()).toBeNull();
    await changeShows(app.ctx, site.siteId, []);
    await changes();
    const since = app.clock.now();
    app.clock.advance(1_000);
    expect(codeOf(await post(`episodes/${id}/post`, report()))).toBe('200');
    expect(await detached()).toEqual(since);
    await changeShows(app.ctx, site.siteId, [show.id]);
    await changes();
    await post(`episodes/${id}/post`, report());
    expect(await detached()).toBeNull();
  });

  // ERR-13, SITE-35
  it('a report of a post is not found for an episode that is not in the feed', async () => {
    const other = await makePodcast(app.ctx, { owner: ana });
    const ids = [
      newId(),
      (await makeEpisode(app.ctx, other)).id,
      (await makeEpisode(app.ctx, show, { status: 'draft' })).id,
    ];
    for (const id of ids) {
      expect(codeOf(await post(`episodes/${id}/post`, report()))).toBe('404 not_found');
    }
    expect(wrongOf(await post('episodes/x/post', report()))).toBe('episode_id');
  });

  // SITE-34
  it.each<[object, string]>([
    [
      { post_url: '', state: 'sent', wp_post_id: 0, content_hash: '' },
      'post_url, state, wp_post_id, content_hash',
    ],
    [{ post_url: 'https://x.example/?p=7' }, 'post_url'],
    [{ post_url: 'http://blog.example/?p=7' }, 'post_url'],
    [{ wp_post_id: 2 ** 53 }, 'wp_post_id'],
    [{ wp_post_id: 1.5 }, 'wp_post_id'],
    [{ content_hash: 'x'.repeat(129) }, 'content_hash'],
    [{ content_hash: 'a b' }, 'content_hash'],
    [{ content_hash: null }, 'content_hash'],
    [{ state: 'Published' }, 'state'],
  ])('a report of a post is refused with %j', async (more, wrong) => {
    const { id } = await makeEpisode(app.ctx, show);
    const response = await post(`episodes/${id}/post`, report(more));
    expect([codeOf(response), wrongOf(response)]).toEqual(['400 invalid_request', wrong]);
  });
});

describe('a disconnection', () => {
  // SITE-37
  it('a disconnection ends the key, and keeps the site and its posts', async () => {
    const { id } = await makeEpisode(app.ctx, show);
    const made = { post_url: `${site.siteUrl}?p=7`, state: 'published', wp_post_id: 7 };
    await post(`episodes/${id}/post`, made);
    expect(wrongOf(await post('disconnect', { x: 1 }))).toBe('x');
    const responses = await Promise.all([post('disconnect', {}), post('disconnect', {})]);
    const revoked = responses.filter(({ statusCode }) => statusCode === 200);
    expect(revoked.map((response) => response.json().data)).toContainEqual({
      site_id: site.siteId,
      status: 'revoked',
      revoked_at: app.clock.now().toISOString(),
    });
    expect(codeOf(await post('disconnect', {}))).toBe('401 invalid_api_key');
    expect((await stored()).status).toBe('revoked');
    const { rows } = await app.database.pool.query(
      'select count(*)::int as posts from site_posts where site_id = $1',
      [site.siteId],
    );
    expect(rows).toEqual([{ posts: 1 }]);
  });

  it('a disconnection does not outlast a new connection of the same address', async () => {
    await post('disconnect', {});
    const { siteUrl, siteId } = site;
    site = await makeSite(app.ctx, ana, [show], { siteUrl });
    expect(site.siteId).toBe(siteId);
    expect(await stored()).toMatchObject({ status: 'active', revokedAt: null });
  });
});

describe('a report of many posts', () => {
  const reportOf = (episode: { readonly id: string }, more: object = {}) => ({
    episode_id: episode.id,
    post_url: `${site.siteUrl}?p=1`,
    state: 'published',
    wp_post_id: 1,
    ...more,
  });
  const countPosts = async () => {
    const count = `select count(*)::int as count from site_posts where site_id = '${site.siteId}'`;
    return (await app.database.pool.query(count)).rows[0].count;
  };

  // SITE-43
  it('stores each for itself, and names those that it refuses', async () => {
    const [one, two, draft] = [
      await makeEpisode(app.ctx, show),
      await makeEpisode(app.ctx, show),
      await makeEpisode(app.ctx, show, { status: 'draft' }),
    ];
    const foreign = await makeEpisode(app.ctx, await makePodcast(app.ctx));
    const response = await post('posts', {
      posts: [
        reportOf(one, { state: 'queued' }),
        reportOf(two, { wp_post_id: 2, unknown: 1 }),
        reportOf({ id: one.id.toUpperCase() }, { state: 'trashed' }),
        reportOf(draft),
        reportOf(foreign),
        reportOf(two, { post_url: 'https://elsewhere.example/?p=2' }),
      ],
    });
    expect(response.statusCode, response.body).toBe(200);
    const { posts, refused } = response.json().data;
    expect(posts).toMatchObject([
      { episode_id: one.id, state: 'trashed', up_to_date: false },
      { episode_id: two.id, state: 'published', wp_post_id: 2 },
    ]);
    expect(refused).toMatchObject([
      { episode_id: two.id, code: 'invalid_request' },
      { episode_id: draft.id, code: 'not_found' },
      { episode_id: foreign.id, code: 'not_found' },
    ]);
    expect(await countPosts()).toBe(2);
  });

  it('a report of many posts takes one statement for a full request, and two of them at once do not deadlock', async () => {
    const episodes = [];
    for (let count = 0; count < 100; count += 1) episodes.push(await makeEpisode(app.ctx, show));
    await askWithKey(app, site.secret, `/v1/me/sites/${site.siteId}/changes?limit=1`);
    const posts = episodes.map((episode) => reportOf(episode));
    await post('posts', { posts });
    const responses = await Promise.all([
      post('posts', { posts }),
      post('posts', { posts: posts.toReversed() }),
    ]);
    expect(responses.map(codeOf)).toEqual(['200', '200']);
    expect(await countPosts()).toBe(100);
    // One for the key, one for all reports.
    expect(await countStatements(app, () => post('posts', { posts }))).toBe(2);
  });

  it.each<[object, string]>([
    [{}, 'posts'],
    [{ posts: [] }, 'posts'],
    [{ posts: [{}] }, 'posts.0.episode_id, posts.0.post_url, posts.0.state, posts.0.wp_post_id'],
    [{ posts: Array(101).fill(1) }, 'posts'],
  ])('refuses %j', async (body, wrong) => {
    const response = await post('posts', body);
    expect(codeOf(response)).toBe('400 invalid_request');
    expect(wrongOf(response)).toContain(wrong);
  });
});
