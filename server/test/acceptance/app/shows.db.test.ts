import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachImage, setPodcastArtwork } from '../../../src/domain/publishing/images/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import {
  type GivenRole,
  type Podcast,
  suspendPodcast,
} from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, createBrowser, openMember, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { pictureBytes } from '../../hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../make.ts';

let app: TestApp;
let owner: User;
let show: Podcast;
let browser: Browser;
let url: string;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(app.ctx, 'creator');
  show = await makePodcast(app.ctx, { owner, title: 'Night Signals', category: 'Science' });
  browser = await openSignedIn(app, owner);
  url = `/app/api/podcasts/${show.id}`;
});

const memberWith = (role: GivenRole['role']) => openMember(app, show, role);

const anyRevision = { 'if-match': '*' };
const read = async (as = browser) => (await as.get(url)).json().data;
const patch = (body: object, headers: Record<string, string> = anyRevision, as = browser) =>
  as.send('PATCH', url, body, headers);
const post = (path: string, body: object = {}, as = browser) =>
  as.send('POST', `${url}/${path}`, body, anyRevision);
const detailsOf = (response: { json(): { error: { details: object[] } } }) =>
  response.json().error.details;

// LIM-16
it.each(['website_url', 'new_feed_url', 'other_funding'])(
  'the URL in %s is short where it is published',
  async (field) => {
    const set = (chars: number) => {
      const url = `https://a.example/${'字'.repeat(chars)}`;
      return field === 'new_feed_url'
        ? post('move', { new_feed_url: url })
        : patch({ [field]: field === 'other_funding' ? [{ url, text: null }] : url });
    };
    expect(detailsOf(await set(230))).toMatchObject([{ field }]);
    expect((await set(220)).statusCode).toBe(200);
  },
);

describe('a new show', () => {
  const create = (body: object) => browser.send('POST', '/app/api/podcasts', body);

  it('a new show needs a title only, and gets an address of its own', async () => {
    const first = await create({ title: 'Ocean Letters' });
    expect(first.statusCode).toBe(201);
    expect(first.headers['etag']).toBe('"1"');
    expect(first.json().data).toMatchObject({
      slug: 'ocean-letters',
      title: 'Ocean Letters',
      author: owner.name,
      language: 'en',
      status: 'active',
      role: 'owner',
      revision: 1,
    });
    const second = (await create({ title: 'Ocean letters!' })).json().data;
    expect(second.slug).toBe('ocean-letters-2');
    expect((await create({ title: '海' })).json().data.slug).toBe('podcast');
  });

  it('uses the requested address, or says that it is taken', async () => {
    const made = await create({ title: 'X', slug: 'given-one', timezone: 'Europe/Berlin' });
    expect(made.json().data).toMatchObject({ slug: 'given-one', timezone: 'Europe/Berlin' });
    const taken = await create({ title: 'X', slug: show.slug });
    expect(detailsOf(taken)).toMatchObject([{ field: 'slug', reason: 'slug_taken' }]);
    const wrong = await create({ title: '', slug: 'No Slug', language: 'xx-yy-zz-!' });
    expect(detailsOf(wrong)).toMatchObject([
      { field: 'title' },
      { field: 'slug' },
      { field: 'language' },
    ]);
  });

  it('a new show is created for two users who request the same title at once', async () => {
    const made = await Promise.all([1, 2, 3].map(() => create({ title: 'Same Moment' })));
    const slugs = made.map((response) => response.json().data.slug).sort();
    expect(slugs).toEqual(['same-moment', 'same-moment-2', 'same-moment-3']);
  });
});

describe('the settings of a show', () => {
  it('the settings of a show include what the member may do', async () => {
    const mayOf = async (as: Browser) => {
      const { may } = await read(as);
      return Object.keys(may).filter((right) => may[right]);
    };
    expect(await mayOf(browser)).toHaveLength(19);
    expect(await mayOf(await memberWith('admin'))).toEqual([
      ...['edit', 'check', 'first_steps', 'people', 'credit_members', 'set_domain', 'export'],
      'webhooks',
      ...['create_episodes', 'delete_episodes', 'analytics', 'team', 'leave'],
    ]);
    expect(await mayOf(await memberWith('editor'))).toEqual([
      ...['check', 'people', 'credit_members', 'create_episodes', 'leave'],
    ]);
    expect(await mayOf(await memberWith('analyst'))).toEqual(['check', 'analytics', 'leave']);
    expect(await mayOf(await memberWith('cohost'))).toEqual(['leave']);
    const stranger = await openSignedIn(app, await makeUser(app.ctx));
    expect((await stranger.get(url)).statusCode).toBe(404);
  });

  it('the settings of a show are changed by field, and the old address leads to the new one', async () => {
    const slug = `new-${show.slug}`;
    const changed = await patch({
      slug,
      subtitle: 'From the dark',
      show_type: 'serial',
      other_categories: [{ category: 'Arts', subcategory: 'Books' }],
      other_funding: [{ url: 'https://example.com/give', text: null }],
    });
    expect(changed.statusCode).toBe(200);
    expect(changed.json().data).toMatchObject({
      slug,
      title: 'Night Signals',
      subtitle: 'From the dark',
      show_type: 'serial',
      other_categories: [{ category: 'Arts', subcategory: 'Books' }],
      other_funding: [{ url: 'https://example.com/give', text: null }],
      previous_slugs: [show.slug],
      links: { feed: `http://test.local/feeds/${slug}.xml` },
      revision: 2,
    });
    expect(changed.headers['etag']).toBe('"2"');
    expect(await read()).toEqual(changed.json().data);
    const feed = await createBrowser(app).get(`/feeds/${show.slug}.xml`);
    expect([feed.statusCode, feed.headers['location']]).toEqual([
      301,
      `http://test.local/feeds/${slug}.xml`,
    ]);
  });

  it('the settings of a show name all wrong fields at once', async () => {
    const wrong = await patch({ title: ' ', timezone: 'Mars/Base', brand_color: 'red' });
    expect(detailsOf(wrong)).toMatchObject([
      { field: 'title' },
      { field: 'timezone' },
      { field: 'brand_color' },
    ]);
    expect(detailsOf(await patch({ category: 'Siense' }))).toMatchObject([{ field: 'category' }]);
    const imported = 'update podcasts set category = $2 where id = $1';
    await app.database.pool.query(imported, [show.id, 'Weird']);
    expect((await patch({ title: 'Kept' })).statusCode).toBe(200);
    expect((await patch({ team_keys: true })).statusCode).toBe(400);
  });

  it('the settings of a show are refused where somebody else has changed them', async () => {
    const admin = await memberWith('admin');
    expect((await patch({ title: 'First' }, { 'if-match': '"1"' }, admin)).statusCode).toBe(200);
    const late = await patch({ title: 'Second' }, { 'if-match': '"1"' });
    expect([late.statusCode, late.json().error.code]).toEqual([412, 'precondition_failed']);
    expect(detailsOf(late)).toMatchObject([{ field: 'title', reason: 'changed' }]);
    expect((await patch({ title: 'Third' }, {})).statusCode).toBe(428);
    expect((await read()).title).toBe('First');
  });

  it.each(['editor', 'analyst', 'cohost'] as const)(
    'the settings of a show are not changed by an %s',
    async (role) => {
      const as = await memberWith(role);
      expect((await patch({ title: 'Mine' }, anyRevision, as)).statusCode).toBe(403);
      expect((await post('pause', {}, as)).statusCode).toBe(403);
      expect((await as.send('DELETE', `${url}/artwork`, undefined, anyRevision)).statusCode).toBe(
        403,
      );
    },
  );

  it('the settings of a show can have their artwork removed', async () => {
    const bytes = await pictureBytes('#336699');
    const { id } = await attachImage(app.ctx, { podcastId: show.id, bytes });
    await setPodcastArtwork(app.ctx, show.id, id);
    expect((await read()).artwork).toMatchObject({ id, width: 1400, url: `/app/api/images/${id}` });
    const removed = await browser.send('DELETE', `${url}/artwork`, undefined, anyRevision);
    expect(removed.json().data).toMatchObject({ artwork: null, revision: 3 });
  });
});

describe('the state of a show', () => {
  const listen = async () => (await createBrowser(app).get(`/v1/podcasts/${show.slug}`)).statusCode;

  it('the state of a show is paused and resumed by its owner alone', async () => {
    expect((await post('pause', {}, await memberWith('admin'))).statusCode).toBe(403);
    expect((await post('pause')).json().data).toMatchObject({ status: 'paused' });
    expect(await listen()).toBe(404);
    expect((await post('resume')).json().data).toMatchObject({ status: 'active' });
    expect(await listen()).toBe(200);
    expect(detailsOf(await post('resume'))).toMatchObject([{ field: 'status' }]);
  });

  it('redirects to another feed until the move ends', async () => {
    const to = 'https://feeds.example.com/night.xml';
    expect((await post('move', { new_feed_url: to }, await memberWith('admin'))).statusCode).toBe(
      403,
    );
    const moved = (await post('move', { new_feed_url: to })).json().data;
    expect(moved).toMatchObject({ status: 'moved', new_feed_url: to });
    const feed = await createBrowser(app).get(`/feeds/${show.slug}.xml`);
    expect([feed.statusCode, feed.headers['location']]).toEqual([301, to]);
    const own = await post('move', { new_feed_url: `http://test.local/feeds/${show.slug}.xml` });
    expect(detailsOf(own)).toMatchObject([{ field: 'new_feed_url' }]);
    const back = (await post('stay')).json().data;
    expect(back).toMatchObject({ status: 'active', new_feed_url: null });
    expect(detailsOf(await post('stay'))).toMatchObject([{ field: 'status' }]);
  });
});

describe('the statuses that a show may become', () => {
  const to = { new_feed_url: 'https://feeds.example.com/night.xml' };
  const operations = { pause: {}, resume: {}, move: to, stay: {} } as const;
  type Operation = keyof typeof operations;
  const ways = {
    draft: [],
    active: ['resume'],
    paused: ['resume', 'pause'],
    moved: ['resume', 'move'],
  } as const satisfies Record<string, readonly Operation[]>;

  /** Makes a new show in this status the one of the test. */
  async function open(status: keyof typeof ways): Promise<void> {
    show = await makePodcast(app.ctx, { owner, status: 'draft' });
    url = `/app/api/podcasts/${show.id}`;
    for (const operation of ways[status]) await post(operation, operations[operation]);
    expect((await read()).status).toBe(status);
  }

  it.each(Object.keys(ways) as (keyof typeof ways)[])(
    'the statuses that a show may become are those to which an operation leads: from %s',
    async (status) => {
      const reached = new Set<string>();
      for (const operation of Object.keys(operations) as Operation[]) {
        await open(status);
        const { statusCode } = await post(operation, operations[operation]);
        expect([200, 400]).toContain(statusCode);
        reached.add((await read()).status);
      }
      await open(status);
      const { may_become: next } = await read();
      expect(new Set([...next, status])).toEqual(reached.add(status));
    },
  );

  it('the statuses that a show may become are none while the service has suspended it, and for members without the right', async () => {
    expect((await read(await memberWith('admin'))).may_become).toEqual([]);
    await suspendPodcast(app.ctx, show.id);
    expect((await read()).may_become).toEqual([]);
    for (const [operation, body] of Object.entries(operations)) {
      expect((await post(operation, body)).statusCode, operation).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('the end of a show', () => {
  const end = (body: object, as = browser) => as.send('DELETE', url, body, anyRevision);
  const proof = { current_password: testPassword };

  it('the deletion of a show needs its address typed, and the password of its owner', async () => {
    const { slug } = show;
    expect(detailsOf(await end({ slug: 'other', ...proof }))).toMatchObject([
      { field: 'slug', reason: 'wrong_slug' },
    ]);
    expect(detailsOf(await end({ slug, current_password: 'wrong' }))).toMatchObject([
      { reason: 'wrong_password' },
    ]);
    expect((await end({ slug, ...proof }, await memberWith('admin'))).statusCode).toBe(403);
    await makeEpisode(app.ctx, show);
    expect((await end({ slug, ...proof })).statusCode).toBe(204);
    expect((await browser.get(url)).statusCode).toBe(404);
    const again = await browser.send('POST', '/app/api/podcasts', { title: 'X', slug });
    expect(detailsOf(again)).toMatchObject([{ reason: 'slug_taken' }]);
  });

  it('a show that has changed since is not deleted', async () => {
    await patch({ title: 'Newer' });
    const body = { slug: show.slug, ...proof };
    const late = await browser.send('DELETE', url, body, { 'if-match': '"1"' });
    expect(late.statusCode).toBe(412);
  });
});

describe('the people of a show', () => {
  const put = (list: object[], as = browser) =>
    as.send('PUT', `${url}/people`, { people: list }, anyRevision);
  const list = async () => (await browser.get(`${url}/people`)).json().data;

  it('the people of a show keep their credits when they are renamed', async () => {
    const made = (await put([{ name: 'Ana' }, { name: 'Bo', role: 'guest' }])).json().data;
    expect(made.people).toMatchObject([
      { name: 'Ana', role: 'host', group: 'cast', roster: true, photo: null, user_id: null },
      { name: 'Bo', role: 'guest' },
    ]);
    const [ana, bo] = made.people;
    const episode = await makeEpisode(app.ctx, show);
    await setCredits(app.ctx, episode.id, [{ personId: ana.id }]);
    const { photo: _, ...renamed } = { ...ana, name: 'Anna' };
    const changed = (await put([{ id: bo.id, name: 'Bo' }, renamed])).json().data;
    expect(changed.people).toMatchObject([
      { id: bo.id, role: 'guest' },
      { id: ana.id, name: 'Anna' },
    ]);
    expect(changed.revision).toBe(made.revision + 1);
    expect(await list()).toEqual(changed);
    await put([]);
    expect((await list()).people).toMatchObject([{ id: ana.id, roster: false }]);
  });

  it('the people of a show have the ids from the client, also if the list is sent twice', async () => {
    const [bo, ana] = [randomUUID(), randomUUID()];
    const given = [{ new_id: bo, name: 'Bo' }];
    await put(given);
    expect((await put(given)).json().data.people).toMatchObject([{ id: bo }]);
    const renamed = [
      { new_id: bo, name: 'Bob' },
      { new_id: ana, name: 'Bo' },
    ];
    expect((await put(renamed)).json().data.people).toMatchObject([
      { id: bo, name: 'Bob' },
      { id: ana, name: 'Bo' },
    ]);
    const other = await makePodcast(app.ctx);
    const theirs = await addPerson(app.ctx, { podcastId: other.id, name: 'Cy' });
    const taken = await put([{ new_id: theirs.id, name: 'Cy' }]);
    expect(detailsOf(taken)).toMatchObject([{ field: 'new_id' }]);
  });

  it('the people of a show are linked only to members of the team and to pictures of the show', async () => {
    const other = await makePodcast(app.ctx);
    const bytes = await pictureBytes('#112233');
    const foreign = await attachImage(app.ctx, { podcastId: other.id, bytes });
    const mine = await attachImage(app.ctx, { podcastId: show.id, bytes });
    const stranger = await makeUser(app.ctx);
    const wrong = await put([
      { name: 'Ana', photo_id: foreign.id },
      { name: 'Bo', user_id: stranger.id },
      { name: 'Cy', id: show.id },
    ]);
    expect(detailsOf(wrong)).toMatchObject([
      { field: 'people[0].photo_id' },
      { field: 'people[1].user_id' },
    ]);
    expect(detailsOf(await put([{ name: 'Cy', id: show.id }]))).toMatchObject([
      { field: 'people[0].id' },
    ]);
    const right = await put([{ name: 'Ana', photo_id: mine.id, user_id: owner.id }]);
    expect(right.json().data.people).toMatchObject([
      { photo: { id: mine.id, url: `/app/api/images/${mine.id}` }, user_id: owner.id },
    ]);
    expect(detailsOf(await put([{ name: 'Ana', role: 'king' }, { name: 'ana' }]))).toMatchObject([
      { field: 'people[0].role' },
      { field: 'people[1].name' },
    ]);
  });

  // LIM-16
  it('the people of a show have links that are short where they are published', async () => {
    const link = (chars: number) => [
      { name: 'Ana', link_url: `https://a.example/${'字'.repeat(chars)}` },
    ];
    expect((await put(link(220))).statusCode).toBe(200);
    expect(detailsOf(await put(link(230)))).toMatchObject([{ field: 'people[0].link_url' }]);
  });

  it('the people of a show are edited by editors and not by co-hosts', async () => {
    expect((await put([{ name: 'Ana' }], await memberWith('editor'))).statusCode).toBe(200);
    expect((await put([], await memberWith('cohost'))).statusCode).toBe(403);
  });
});
