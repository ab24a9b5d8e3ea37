import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../../src/domain/publishing/audio/index.ts';
import { attachImage, setPodcastArtwork } from '../../../src/domain/publishing/images/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { countStatements } from '../../ask-with-key.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { setDownloadsOfDay } from '../../downloads.ts';
import { pictureBytes } from '../../hosts/podcast-host.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let show: Podcast;
let browser: Browser;
let people = 0;

beforeAll(async () => {
  app = await createTestApp({ TERMS_VERSION: '2026-01' });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(app.ctx, 'creator');
  show = await makePodcast(app.ctx, { owner, title: 'Night Signals', category: 'Science' });
  browser = await signedIn(owner);
});

async function signedIn(user: User): Promise<Browser> {
  people += 1;
  const made = createBrowser(app, { address: `198.51.100.${people}` });
  await made.signIn(user.email);
  return made;
}

const query = (text: string, values: unknown[]) => app.database.pool.query(text, values);
const home = async (as = browser, parameters = '') =>
  (await as.get(`/app/api/home${parameters}`)).json();
const firstShow = async (as = browser) => (await home(as)).data[0];
const kinds = (needs: readonly { kind: string }[]) => needs.map(({ kind }) => kind);
const inDays = (days: number) => new Date(app.ctx.clock.now().getTime() + days * 86_400_000);

/** Downloads of one day, `ago` days before today. */
const count = (podcast: Podcast, ago: number, downloads: number) =>
  setDownloadsOfDay(app, podcast.id, inDays(-ago).toISOString().slice(0, 10), downloads);

describe('a show on the home page', () => {
  it('a show on the home page has its next and its newest episode, and the number of episodes', async () => {
    const episode = (title: string, more: object) => makeEpisode(app.ctx, show, { title, ...more });
    await episode('First', { publishedAt: inDays(-9) });
    const latest = await episode('Second', { publishedAt: inDays(-2) });
    await episode('Due', { status: 'scheduled', scheduledFor: inDays(-3) });
    const next = await episode('Next', { status: 'scheduled', scheduledFor: inDays(2) });
    await episode('Later', { status: 'scheduled', scheduledFor: inDays(5) });
    await episode('Idea', { status: 'draft' });
    expect(await firstShow()).toMatchObject({
      id: show.id,
      slug: show.slug,
      title: 'Night Signals',
      artwork_url: null,
      status: 'active',
      role: 'owner',
      role_name: 'Owner',
      next_scheduled: {
        id: next.id,
        title: 'Next',
        scheduled_for: inDays(2).toISOString(),
      },
      latest: { id: latest.id, title: 'Second', published_at: inDays(-2).toISOString() },
      episode_counts: {
        pending_confirmation: 0,
        draft: 1,
        scheduled: 2,
        published: 3,
        archived: 0,
      },
    });
  });

  it('compares seven whole days with the seven before them', async () => {
    await Promise.all([
      count(show, 0, 1_000),
      count(show, 1, 10),
      count(show, 7, 5),
      count(show, 8, 4),
      count(show, 14, 3),
      count(show, 15, 2_000),
    ]);
    const { downloads_7d: week } = await firstShow();
    expect(week).toEqual({ from: '2026-03-03', to: '2026-03-09', total: 15, previous: 7 });
  });

  it('a show on the home page has no figures for a role without analytics, or if it is hosted elsewhere', async () => {
    const bo = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: show.id, userId: bo.id, role: 'editor' });
    const seen = await firstShow(await signedIn(bo));
    expect(seen).toMatchObject({ role: 'editor', downloads_7d: null });
    await query("update podcasts set hosting_type = 'external' where id = $1", [show.id]);
    expect((await firstShow()).downloads_7d).toBeNull();
  });

  it('shows a co-host only the episodes they are on', async () => {
    const bo = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: show.id, userId: bo.id, role: 'cohost' });
    await makeEpisode(app.ctx, show, { status: 'draft', title: 'Secret' });
    const mine = await makeEpisode(app.ctx, show, { title: 'Ours', publishedAt: inDays(-5) });
    await makeEpisode(app.ctx, show, { title: 'Theirs' });
    const { id: personId } = await addPerson(app.ctx, {
      podcastId: show.id,
      name: 'Bo',
      userId: bo.id,
    });
    await setCredits(app.ctx, mine.id, [{ personId }]);
    expect(await firstShow(await signedIn(bo))).toMatchObject({
      latest: { title: 'Ours' },
      episode_counts: { draft: 0, published: 1 },
      needs: [],
    });
  });

  it('a show on the home page has an artwork address for members only', async () => {
    const bytes = await pictureBytes('#336699');
    const image = await attachImage(app.ctx, { podcastId: show.id, bytes });
    await setPodcastArtwork(app.ctx, show.id, image.id);
    await query("update podcasts set status = 'draft' where id = $1", [show.id]);
    const { artwork_url: url } = await firstShow();
    const response = await browser.get(url);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('image/jpeg');
    expect(response.headers['cache-control']).toContain('private');
    expect((await browser.get(url.split('?', 1)[0])).statusCode).toBe(200);
    expect((await browser.get(url.replace('width=320', 'width=321'))).statusCode).toBe(400);
    expect((await (await signedIn(await makeUser(app.ctx))).get(url)).statusCode).toBe(404);
    expect((await createBrowser(app).get(url)).statusCode).toBe(401);
  });
});

describe('what a show needs', () => {
  it('the tasks of a show are shown to members who may do something about them', async () => {
    const heard = await makeEpisode(app.ctx, show, { status: 'draft' });
    await attachTone(app.ctx, heard.id, 1);
    await makeEpisode(app.ctx, show, { status: 'draft' });
    await makeEpisode(app.ctx, show, { status: 'scheduled', scheduledFor: inDays(1) });
    await makeEpisode(app.ctx, show, { status: 'pending_confirmation' });
    await query('update podcasts set category = null where id = $1', [show.id]);
    await query("update accounts set plan_state = 'lapsed' where id = $1", [owner.accountId]);
    expect((await firstShow()).needs).toEqual([
      { kind: 'scheduled_without_audio', count: 1 },
      { kind: 'pending_confirmation', count: 1 },
      { kind: 'draft_without_audio', count: 1 },
      { kind: 'no_artwork' },
      { kind: 'no_category' },
      { kind: 'plan_lapsed' },
    ]);
    const bo = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: show.id, userId: bo.id, role: 'analyst' });
    expect((await firstShow(await signedIn(bo))).needs).toEqual([]);
  });

  it('includes the newest import if it failed, until another one', async () => {
    const importId = newId();
    const insert = (id: string, state: string, at: Date) =>
      query(
        `insert into imports (id, owner_id, podcast_id, documents, copy_audio, creates_podcast,
          state, progress, created_at, updated_at)
        values ($1, $2, $3, '[]', true, false, $4, '{}', $5, $5)`,
        [id, owner.id, show.id, state, at],
      );
    await insert(importId, 'failed', inDays(-2));
    const failed = { import_id: importId, failed_at: inDays(-2).toISOString() };
    expect((await firstShow()).needs).toContainEqual({ kind: 'import_failed', ...failed });
    await insert(newId(), 'finished', inDays(-1));
    expect(kinds((await firstShow()).needs)).not.toContain('import_failed');
  });
});

describe('what an account needs', () => {
  const needs = async () => (await home()).account_needs;

  it('the tasks of an account begin with the terms and the plan', async () => {
    expect(await needs()).toEqual([]);
    await query('update users set accepted_terms = null where id = $1', [owner.id]);
    await query("update accounts set plan_state = 'lapsed' where id = $1", [owner.accountId]);
    await count(show, 1, 49_999);
    expect(await needs()).toEqual([
      { kind: 'terms_to_accept', version: '2026-01' },
      { kind: 'plan_lapsed' },
      {
        kind: 'downloads_near',
        downloads: 49_999,
        monthly_downloads: 50_000,
        is_suspended: false,
        suspends_at: null,
        renews_on: expect.stringMatching(/-01$/),
      },
    ]);
    await count(show, 2, 1);
    expect(kinds(await needs())).toContain('downloads_exceeded');
  });

  it('the tasks of an account name keys that expire within a week, and an address that waits for its confirmation', async () => {
    const { key } = await makeKey(app.ctx, owner, { name: 'Site' });
    await makeKey(app.ctx, owner);
    expect(await needs()).toEqual([]);
    await query('update api_key_secrets set expires_at = $2 where key_id = $1', [
      key.id,
      inDays(6),
    ]);
    await browser.send('POST', '/app/api/me/email', {
      email: `new-${owner.email}`,
      current_password: 'correct horse',
    });
    const expires = { name: 'Site', expires_at: inDays(6).toISOString() };
    expect(await needs()).toEqual([
      {
        kind: 'email_not_confirmed',
        email: `new-${owner.email}`,
        expires_at: inDays(1).toISOString(),
      },
      { kind: 'key_expires', key_id: key.id, ...expires },
    ]);
  });
});

describe('a home page of many shows', () => {
  it('pages and searches with the same number of statements', async () => {
    for (let index = 0; index < 60; index += 1) {
      app.clock.advance?.(1_000);
      await makePodcast(app.ctx, { owner, title: `Show ${index}` });
    }
    let first = await home();
    const other = await makeUser(app.ctx);
    await makePodcast(app.ctx, { owner: other });
    const one = await signedIn(other);
    const countOf = (as: Browser, parameters = '') =>
      countStatements(app, async () => {
        first = await home(as, parameters);
      });
    expect(await countOf(one)).toBe(await countOf(browser, '?limit=50'));
    expect(first.data).toHaveLength(50);
    const next = `?limit=50&cursor=${first.pagination.next_cursor}`;
    const rest = await home(browser, next);
    expect(rest).toMatchObject({ account_needs: null, pagination: { next_cursor: null } });
    const all = [...first.data, ...rest.data].map(({ title }: { title: string }) => title);
    expect(all).toEqual(['Night Signals', ...Array.from({ length: 60 }, (_, at) => `Show ${at}`)]);
    const found = (await home(browser, '?q=night%20s')).data;
    expect(found).toMatchObject([{ title: 'Night Signals' }]);
    expect((await home(browser, `?q=${show.slug.toUpperCase()}`)).data).toHaveLength(1);
    expect((await home(browser, '?q=%25')).data).toEqual([]);
    expect((await browser.get('/app/api/home?q=%00')).statusCode).toBe(400);
    expect((await browser.get(`/app/api/home${next}&q=show`)).statusCode).toBe(400);
  });
});
