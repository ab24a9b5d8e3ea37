import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, createBrowser, openOwner } from '../../create-browser.ts';
import type { TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';

interface Item {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly downloads_7d: number | null;
}

let app: TestApp;
let owner: User;
let podcast: Podcast;
let browser: Browser;
let url: string;

beforeAll(async () => {
  ({ app, owner, browser } = await openOwner());
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  podcast = await makePodcast(app.ctx, { owner });
  url = `/app/api/podcasts/${podcast.id}/episodes`;
});

const hours = (count: number) => new Date(app.clock.now().getTime() + count * 3_600_000);
const read = async (query = '', as = browser) => (await as.get(`${url}?${query}`)).json();
const titles = async (query = '', as = browser): Promise<string[]> =>
  (await read(query, as)).data.map(({ title }: Item) => title);

async function makeOfEveryStatus() {
  const make = (title: string, more: object) => makeEpisode(app.ctx, podcast, { title, ...more });
  await make('b published', { publishedAt: hours(-5), season: 1, episodeNumber: 7 });
  await make('A due', {
    status: 'scheduled',
    scheduledFor: hours(-1),
    season: 2,
    episodeNumber: 1,
  });
  await make('c scheduled', { status: 'scheduled', scheduledFor: hours(9), episodeNumber: 3 });
  await make('d draft', { status: 'draft', season: 1, episodeNumber: 2 });
  await make('e archived', { status: 'archived', episodeNumber: 9 });
  await make('f pending', { status: 'pending_confirmation', season: 3, episodeNumber: 1 });
}

/** The titles of all pages of this size. */
async function walk(query: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await read(`${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
    found.push(...page.data.map(({ title }: Item) => title));
    expect('counts' in page).toBe(cursor === '');
    cursor = page.pagination.next_cursor ?? '';
    if (cursor === '') return found;
  }
}

describe('the list of episodes', () => {
  it('shows each as it is now', async () => {
    const made = await makeEpisode(app.ctx, podcast, {
      title: 'Due',
      status: 'scheduled',
      scheduledFor: hours(-1),
    });
    const page = await read();
    expect(page.data).toEqual([
      {
        id: made.id,
        podcast_id: podcast.id,
        slug: made.slug,
        title: 'Due',
        status: 'published',
        season: null,
        episode_number: 1,
        episode_type: 'full',
        published_at: hours(-1).toISOString(),
        scheduled_for: null,
        created_at: app.clock.now().toISOString(),
        duration_seconds: null,
        has_audio: false,
        may_become: ['draft', 'archived'],
        to_confirm: ['without_audio'],
        artwork_url: null,
        downloads_7d: 0,
        revision: 1,
      },
    ]);
    expect(page.counts).toEqual({
      pending_confirmation: 0,
      draft: 0,
      scheduled: 0,
      published: 1,
      archived: 0,
    });
    expect(page.pagination).toEqual({ next_cursor: null });
  });

  const orders = {
    newest: ['c scheduled', 'f pending', 'e archived', 'd draft', 'A due', 'b published'],
    oldest: ['b published', 'A due', 'd draft', 'e archived', 'f pending', 'c scheduled'],
    title: ['A due', 'b published', 'c scheduled', 'd draft', 'e archived', 'f pending'],
    number: ['f pending', 'A due', 'e archived', 'b published', 'c scheduled', 'd draft'],
  };

  it.each(Object.entries(orders))(
    'the list of episodes is sorted by %s, in pages of any size',
    async (sort, order) => {
      await makeOfEveryStatus();
      expect(await titles(`sort=${sort}`)).toEqual(order);
      for (const limit of [1, 2, 4]) expect(await walk(`sort=${sort}`, limit)).toEqual(order);
      expect(await walk(`sort=${sort}&q=d`, 1)).toEqual(order.filter((title) => /d/i.test(title)));
      const published = order.filter((title) => ['A due', 'b published'].includes(title));
      expect(await walk(`sort=${sort}&status=published`, 1)).toEqual(published);
      expect(await titles(`sort=${sort}&status=scheduled`)).toEqual(['c scheduled']);
      expect(await titles(`sort=${sort}&status=published&q=DUE`)).toEqual(['A due']);
    },
  );

  it('the list of episodes counts every status, whatever the filters', async () => {
    await makeOfEveryStatus();
    const counts = { pending_confirmation: 1, draft: 1, scheduled: 1, published: 2, archived: 1 };
    expect((await read('status=draft&q=nothing')).counts).toEqual(counts);
  });

  it.each([
    ['night', ['The Night Shift', 'Nightfall']],
    ['NIGHT shift', ['The Night Shift']],
    ['shift%20the', ['The Night Shift']],
    ['100%25', ['100% sure']],
    ['%25', ['100% sure']],
    ['_', []],
    ['%5C', ['back\\slash']],
    ['%D8%B3%D9%84%D8%A7%D9%85', ['سلام دنیا']],
    ['%20', ['all']],
    ['', ['all']],
  ])('finds %s', async (q, expected) => {
    const all = ['The Night Shift', 'Nightfall', '100% sure', 'back\\slash', 'سلام دنیا'];
    for (const title of all) await makeEpisode(app.ctx, podcast, { title });
    const found = await titles(`q=${q}&sort=title`);
    expect(found.sort()).toEqual((expected[0] === 'all' ? all : expected).sort());
  });

  it('gives the figures of a week to those who may see them', async () => {
    const { id } = await makeEpisode(app.ctx, podcast);
    await app.database.pool.query(
      `insert into episode_download_days (podcast_id, episode_id, day, downloads) values
        ($1, $2, '2026-03-02', 100), ($1, $2, '2026-03-03', 5), ($1, $2, '2026-03-09', 7),
        ($1, $2, '2026-03-10', 100)`,
      [podcast.id, id],
    );
    expect((await read()).data[0].downloads_7d).toBe(12);
    const editor = await makeMember('editor');
    expect((await read('', editor.browser)).data[0].downloads_7d).toBeNull();
    const analyst = await makeMember('analyst');
    expect((await read('', analyst.browser)).data[0].downloads_7d).toBe(12);
  });

  it.each(['newest', 'oldest', 'title', 'number'])(
    'shows a co-host only credited episodes, by %s',
    async (sort) => {
      const { user, browser: cohost } = await makeMember('cohost');
      await makeOfEveryStatus();
      const { data } = await read('sort=title&limit=3');
      const { id } = await addPerson(app.ctx, {
        podcastId: podcast.id,
        name: 'Co',
        userId: user.id,
      });
      for (const item of data) await setCredits(app.ctx, item.id, [{ personId: id }]);
      const seen = ['A due', 'b published', 'c scheduled'];
      expect((await titles(`sort=${sort}`, cohost)).sort()).toEqual(seen);
      expect(await titles(`sort=${sort}&q=due`, cohost)).toEqual(['A due']);
      expect((await read(`sort=${sort}`, cohost)).counts).toMatchObject({
        draft: 0,
        scheduled: 1,
        published: 2,
      });
    },
  );

  it('refuses cursors of other lists, and invalid filters', async () => {
    await makeOfEveryStatus();
    const { next_cursor: cursor } = (await read('limit=1&sort=title')).pagination;
    for (const query of [
      `cursor=${cursor}`,
      `cursor=${cursor}&sort=oldest`,
      `cursor=${cursor}&sort=title&q=a`,
      `cursor=${cursor}x&sort=title`,
      'status=gone',
      'sort=random',
      'limit=0',
      'limit=101',
      `q=${'x'.repeat(201)}`,
      'q=%00',
    ]) {
      expect((await browser.get(`${url}?${query}`)).statusCode, query).toBe(400);
    }
  });

  it('the list of episodes is not found by others', async () => {
    const other = createBrowser(app, { address: '203.0.113.250' });
    await other.signIn((await makeUser(app.ctx)).email);
    expect((await other.get(url)).statusCode).toBe(404);
  });
});

let members = 0;
async function makeMember(role: 'editor' | 'analyst' | 'cohost') {
  const user = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: podcast.id, userId: user.id, role });
  members += 1;
  const own = createBrowser(app, { address: `203.0.113.${members}` });
  await own.signIn(user.email);
  return { user, browser: own };
}
