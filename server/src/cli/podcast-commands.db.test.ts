import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../test/create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../test/make.ts';
import { runCommand } from '../../test/run-command.ts';
import type { User } from '../domain/foundation/accounts/index.ts';
import { attachTone } from '../domain/publishing/audio/index.ts';
import {
  getPodcast,
  resumePodcast,
  setPodcastStatus,
  updatePodcast,
} from '../domain/publishing/podcasts/index.ts';
import { podcastChangeFields } from '../domain/service/shows/edits/index.ts';

let app: TestApp;
let folder: string;
let owner: User;

beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'podstead-cli-'));
  const picture = { width: 1400, height: 1400, channels: 3, background: '#aa3300' } as const;
  await sharp({ create: picture }).png().toFile(join(folder, 'cover.png'));
  const small = { ...picture, width: 600, height: 600 };
  await sharp({ create: small }).png().toFile(join(folder, 'small.png'));
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

let count = 0;
let slug: string;
let id: string;
beforeEach(async () => {
  owner = await makeUser(app.ctx);
  count += 1;
  slug = `show-${count}`;
  const argv = ['podcast', 'create', '--owner', owner.email, '--title', 'A show', '--slug', slug];
  id = (await run(...argv)).json.id;
});

const run = (...argv: string[]) => runCommand(app, argv, { cwd: folder });
const set = (...values: string[]) => run('podcast', 'set', slug, ...values);
const get = (url: string) => app.request({ method: 'GET', url });
const bodyOf = async (url: string) => (await get(url)).body;

describe('podcast create', () => {
  // CLI-16
  it('creates a public show, with the fields of a seed file', async () => {
    const argv = ['podcast', 'create', '--owner', owner.email, '--title', 'Über uns'];
    const made = await run(...argv, 'language=de', 'artwork=cover.png', 'people=[{"name":"Bo"}]');
    expect(made).toMatchObject({
      code: 0,
      json: {
        slug: 'uber-uns',
        title: 'Über uns',
        owner: owner.email,
        author: owner.name,
        language: 'de',
        status: 'active',
        artwork: { width: 1400 },
        people: [{ name: 'Bo', role: 'host', roster: true }],
      },
    });
    const { data } = (await get('/v1/podcasts/uber-uns')).json();
    expect(data).toMatchObject({ id: made.json.id, title: 'Über uns' });
    expect(await bodyOf('/feeds/uber-uns.xml')).toContain('<language>de</language>');
    const draft = await run(...argv, '--slug', 'later', 'status=draft');
    expect(draft.json).toMatchObject({ slug: 'later', status: 'draft' });
    expect((await get('/listen/later')).statusCode).toBe(404);
  });

  it('reports every problem, and leaves nothing behind', async () => {
    const argv = ['podcast', 'create', '--owner', owner.email, '--title', 'T', '--slug', 'A b'];
    const refused = await run(...argv, 'language=xx-', 'brand_color=red', 'artwork=nowhere.png');
    expect(refused).toMatchObject({ code: 1, json: undefined });
    expect(refused.said).toMatch(/slug: .*\n {2}language: .*\n {2}brand_color: .*\n {2}artwork: /);
    expect((await run('podcast', 'list', '--owner', owner.email)).json.podcasts).toHaveLength(1);
    expect(await run(...argv.slice(0, -1), slug)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/is taken\. Choose another one\. Use --slug\./),
    });
  });
});

describe('podcast set', () => {
  // CLI-16
  it('changes API, feed and page', async () => {
    const { code, json } = await set(
      'title=Night Signals',
      'subtitle=On air',
      'description=What <is> heard at night.',
      'author=Ana & Bo',
      'category=Science',
      'subcategory=Physics',
      'explicit=true',
      'brand_color=#aa3300',
      'player_theme=dark',
      'website_url=https://signals.example/',
      'artwork=cover.png',
      'owner_email=ana@example.com',
    );
    expect(code).toBe(0);
    expect(json).toMatchObject({
      id,
      title: 'Night Signals',
      subtitle: 'On air',
      brand_color: '#aa3300',
      artwork: { url: expect.stringMatching(/\.png$/), width: 1400, height: 1400 },
      links: { feed: `http://test.local/feeds/${slug}.xml` },
    });
    const { data } = (await get(`/v1/podcasts/${slug}`)).json();
    expect(data).toMatchObject({ title: 'Night Signals', explicit: true, category: 'Science' });
    const feed = await bodyOf(`/feeds/${slug}.xml`);
    expect(feed).toContain('<title>Night Signals</title>');
    expect(feed).toContain('What &lt;is&gt; heard at night.');
    expect(feed).toContain('<itunes:category text="Physics"/>');
    expect(feed).toContain(json.artwork.url);
    expect(await bodyOf(`/listen/${slug}`)).toContain('Night Signals');

    const emptied = await set('subtitle=', 'category=null', 'subcategory=', 'artwork=null');
    expect(emptied.json).toMatchObject({ subtitle: null, category: null, artwork: null });
    expect(await bodyOf(`/feeds/${slug}.xml`)).not.toContain('Physics');
  });

  // PUB-3
  it("accepts only Apple's categories, and suggests one", async () => {
    const refused = await set('category=Sience', 'other_categories=[{"category":"Musik"}]');
    expect(refused).toMatchObject({ code: 1, json: undefined });
    expect(refused.said).toMatch(
      /^The podcast was not saved, because 2 values are invalid\.\n {2}category: .*Did you mean "Science"\?\n {2}other_categories\[0\]\.category: .*Did you mean "Music"\?\n$/,
    );
    expect(await set('subcategory=Astronomy')).toMatchObject({ code: 1 });
    expect(await set('category=Science', 'subcategory=Astronomi')).toMatchObject({ code: 1 });
    expect(await set('category=Science', 'subcategory=Astronomy')).toMatchObject({ said: '' });
    expect(await set('subcategory=Physics')).toMatchObject({ code: 0, said: '' });
    const argv = ['podcast', 'create', '--owner', owner.email, '--title', 'Other'];
    expect(await run(...argv, 'category=Sience')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/Did you mean "Science"/),
    });
    expect(await set('category=Music')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Warning: subcategory: .*Physics is a subcategory of Science/),
    });
  });

  it('keeps former slugs valid in commands', async () => {
    expect((await set(`slug=${slug}-new`)).json).toMatchObject({ slug: `${slug}-new` });
    const episode = await makeEpisode(app.ctx, await getPodcast(app.ctx, id));
    const named = { id, slug: `${slug}-new` };
    expect((await run('podcast', 'show', slug)).json).toMatchObject(named);
    expect((await set('title=Other')).json).toMatchObject({ ...named, title: 'Other' });
    expect((await run('episode', 'list', slug)).json.episodes).toMatchObject([{ id: episode.id }]);
    expect((await run('podcast', 'suspend', slug)).json).toMatchObject(named);
    expect((await run('podcast', 'resume', slug)).json).toMatchObject(named);
    await run('podcast', 'delete', slug, '--yes');
    expect(await run('podcast', 'show', slug)).toMatchObject({
      code: 1,
      said: `There is no podcast ${slug}.\n`,
    });
  });

  it('accepts the values of podcast:medium, and keeps other imported ones', async () => {
    for (const medium of ['bogus', 'Music', 'mixedL', '']) {
      expect(await set(`medium=${medium}`)).toMatchObject({
        code: 2,
        said: expect.stringMatching(/^medium must be one of podcast, music, video/),
      });
    }
    expect((await set('medium=musicL')).json).toMatchObject({ medium: 'musicL' });
    await updatePodcast(app.ctx, id, { medium: 'hologram' });
    expect((await set('title=Other')).json).toMatchObject({ medium: 'hologram' });
  });

  it('shows every field that can be set', async () => {
    const shown = Object.keys((await run('podcast', 'show', slug)).json);
    expect(shown).toEqual(expect.arrayContaining([...podcastChangeFields]));
  });

  it('keeps an imported category', async () => {
    await updatePodcast(app.ctx, id, { category: 'Underwater', subcategory: 'Basketry' });
    expect(await set('title=Other')).toMatchObject({ code: 0, said: '' });
    expect((await run('podcast', 'show', slug)).json).toMatchObject({ category: 'Underwater' });
  });

  it('warns about artwork that directories may refuse', async () => {
    const changed = await set('artwork=small.png');
    expect(changed).toMatchObject({
      code: 0,
      json: { artwork: { width: 600 } },
      said: 'Warning: The artwork is small (600 × 600 pixels); Apple requires at least 1400 × 1400.\n',
    });
    expect(await set('title=Other')).toMatchObject({ said: '' });
    const argv = ['podcast', 'create', '--owner', owner.email, '--title', 'Small'];
    const made = await run(...argv, 'artwork=small.png');
    expect(made).toMatchObject({ code: 0, said: expect.stringMatching(/^Warning: .*small/) });
    const episode = await makeEpisode(app.ctx, await getPodcast(app.ctx, id));
    const ofEpisode = await run('episode', 'set', episode.id, 'artwork=small.png');
    expect(ofEpisode).toMatchObject({ code: 0, said: expect.stringMatching(/^Warning: .*small/) });
  });

  it('seed files give warnings', async () => {
    const file = join(folder, 'seed.json');
    const user = { ref: 'u', email: `seed-${slug}@example.com`, password: 'correct horse' };
    const podcast = { ref: 'p', owner: 'u', slug: `${slug}-seed`, title: 'T', category: 'Sience' };
    const seed = { users: [user], podcasts: [{ ...podcast, artwork: 'small.png' }] };
    await writeFile(file, JSON.stringify(seed));
    const { code, said } = await run('seed', file);
    expect(code).toBe(0);
    expect(said).toMatch(
      /-seed: category: .*Did you mean "Science"\?\n.*-seed: The artwork is small/,
    );
  });

  it('sets categories, funding, medium, complete and itunes_block', async () => {
    const changed = await set(
      'category=Arts',
      'other_categories=[{"category":"Music","subcategory":"Music History"},{"category":"News"}]',
      'funding_url=https://give.example/',
      'other_funding=[{"url":"https://more.example/","text":"More"},{"url":"https://x.example/"}]',
      'medium=music',
      'complete=true',
      'itunes_block=true',
      'hosting_type=external',
    );
    expect(changed).toMatchObject({
      code: 0,
      json: {
        other_categories: [
          { category: 'Music', subcategory: 'Music History' },
          { category: 'News', subcategory: null },
        ],
        other_funding: [
          { url: 'https://more.example/', text: 'More' },
          { url: 'https://x.example/', text: null },
        ],
        medium: 'music',
        complete: true,
        itunes_block: true,
        hosting_type: 'external',
      },
    });
    const feed = await bodyOf(`/feeds/${slug}.xml`);
    expect(feed).toMatch(
      /text="Arts"\/>.*text="Music">\n<itunes:category text="Music History"\/>/s,
    );
    expect(feed).toContain('<itunes:category text="News"/>');
    expect(feed).toMatch(/"https:\/\/give\.example\/".*"https:\/\/more\.example\/">More</s);
    expect(feed).toContain('<podcast:medium>music</podcast:medium>');
    expect(feed).toContain('<itunes:complete>Yes</itunes:complete>');
    expect(feed).toContain('<itunes:block>Yes</itunes:block>');

    // The first may be removed while others remain.
    await set('category=', 'funding_url=', 'complete=false', 'itunes_block=false');
    const later = await bodyOf(`/feeds/${slug}.xml`);
    expect(later).toContain('text="News"');
    expect(later).toContain('https://more.example/');
    expect(later).not.toMatch(/Arts|give\.example|itunes:complete|itunes:block/);
    const emptied = await set('other_categories=', 'other_funding=null');
    expect(emptied.json).toMatchObject({ other_categories: [], other_funding: [] });
    expect(await bodyOf(`/feeds/${slug}.xml`)).not.toMatch(/News|more\.example/);
  });

  it('refuses invalid values of these fields', async () => {
    const refused = await set(
      'other_categories=[{"category":""}]',
      'other_funding=[{"url":"javascript:alert(1)"}]',
    );
    expect(refused).toMatchObject({ code: 1, json: undefined });
    expect(refused.said).toMatch(/other_categories: .*\n {2}other_funding: /);
    expect(await set('other_categories=[{"name":"Arts"}]', 'hosting_type=mine')).toMatchObject({
      code: 2,
      said: expect.stringMatching(/other_categories\[0\]\.category.*hosting_type/s),
    });
  });

  it('lists the known fields, and where to change others', async () => {
    const refused = await set('owner=bo@example.com', 'guid=x', 'titel=T');
    expect(refused.code).toBe(2);
    expect(refused.said).toMatch(/Unknown field owner, guid, titel\. The fields are slug, title, /);
    expect(refused.said).toMatch(/^owner: The owner transfers .*\nguid: It never changes/m);
  });

  it('changes the slug and keeps the old one', async () => {
    const { json } = await set(`slug=${slug}-new`);
    expect(json).toMatchObject({ slug: `${slug}-new`, previous_slugs: [slug] });
    expect(await get(`/feeds/${slug}.xml`)).toMatchObject({
      statusCode: 301,
      headers: { location: `http://test.local/feeds/${slug}-new.xml` },
    });
    expect((await run('podcast', 'show', `${slug}-new`)).json).toEqual(json);
  });

  it('adds, changes and removes people', async () => {
    const list = [
      { name: 'Bo', role: 'Host', bio: 'Talks.', photo: 'cover.png' },
      { name: 'Cy', user: owner.email },
      { name: 'Di' },
    ];
    await writeFile(join(folder, 'people.json'), JSON.stringify(list));
    const [bo, cy] = (await set('people=people.json')).json.people;
    expect(bo).toMatchObject({ name: 'Bo', role: 'host', bio: 'Talks.' });
    const episode = await makeEpisode(app.ctx, await getPodcast(app.ctx, id));
    await run('episode', 'set', episode.id, 'people=cy');
    const { json } = await set('people=[{"name": "bo", "group": "writing"}]');
    expect(json.people).toMatchObject([
      { id: bo.id, name: 'bo', group: 'writing', bio: 'Talks.', roster: true },
      { id: cy.id, name: 'Cy', roster: false },
    ]);
    const credited = (await run('episode', 'show', episode.id)).json.people;
    expect(credited).toEqual([{ id: cy.id, name: 'Cy', role: 'host', group: 'cast' }]);
    const wrong = await set('people=[{"name":"","user":"no@x.example"},{"name":"A"},{"name":"a"}]');
    expect(wrong.said).toMatch(/people\[0\]\.name: .*\n.*people\[2\]\.name: .*\n.*\[0\]\.user: /);
    expect((await set('people=')).json.people).toMatchObject([{ name: 'Cy', roster: false }]);
  });

  // CLI-16, STATE-1
  it('changes the status, also with the URL of a new feed', async () => {
    const feed = () => get(`/feeds/${slug}.xml`);
    await set('status=paused');
    expect((await get(`/v1/podcasts/${slug}`)).statusCode).toBe(404);
    expect((await feed()).statusCode).toBe(200);
    expect(await set('status=moved')).toMatchObject({
      code: 1,
      said: 'new_feed_url: A show that has moved needs the URL of its new feed.\n',
    });
    await set('status=moved', 'new_feed_url=https://new.example/feed.xml');
    expect(await feed()).toMatchObject({
      statusCode: 301,
      headers: { location: 'https://new.example/feed.xml' },
    });
    expect(await set('new_feed_url=')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/URL of its new feed/),
    });
    await set('status=overage_suspended');
    expect(await set('new_feed_url=')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/URL of its new feed/),
    });
    await resumePodcast(app.ctx, id);
    expect((await set('status=active', 'new_feed_url=')).json).toMatchObject({
      status: 'active',
      new_feed_url: null,
    });
    expect((await set('status=draft')).json).toMatchObject({ status: 'draft' });
    expect((await feed()).statusCode).toBe(404);
    expect(await set('status=paused')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/is draft/),
    });
    expect((await set('status=draft', 'status=active')).code).toBe(2);
  });

  it('changes all fields or none', async () => {
    const other = await makePodcast(app.ctx);
    const before = (await run('podcast', 'show', slug)).json;
    const files = () => readdir(join(app.config.dataDir, 'blobs'), { recursive: true });
    const kept = await files();
    const refused = await set('title=Changed', 'artwork=cover.png', `slug=${other.slug}`);
    expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/taken/) });
    expect((await run('podcast', 'show', slug)).json).toEqual(before);
    expect(await files()).toEqual(kept);
  });

  // CLI-16, STATE-2
  it('allows suspensions to the operator only, and moving to owners only', async () => {
    const asOwner = app.contextFor({ kind: 'user', userId: owner.id });
    await expect(setPodcastStatus(asOwner, id, 'overage_suspended')).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await set('status=overage_suspended');
    for (const attempt of [resumePodcast, activate]) {
      await expect(attempt(asOwner, id)).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });
  const activate = (ctx: TestApp['ctx'], podcastId: string) =>
    setPodcastStatus(ctx, podcastId, 'active');
});

describe('podcast list', () => {
  // CLI-16
  it('lists all, or those of one user, oldest first', async () => {
    const second = await makePodcast(app.ctx, {
      owner,
      createdAt: new Date(app.clock.now().getTime() + 1000),
    });
    const { json } = await run('podcast', 'list', '--owner', owner.email);
    expect(json.podcasts).toMatchObject([
      { id, slug, title: 'A show', status: 'active', owner: owner.email },
      { id: second.id },
    ]);
    const other = await makePodcast(app.ctx);
    const all: { id: string }[] = (await run('podcast', 'list')).json.podcasts;
    expect(all.map((podcast) => podcast.id)).toEqual(
      expect.arrayContaining([id, second.id, other.id]),
    );
    const nobody = await makeUser(app.ctx);
    expect((await run('podcast', 'list', '--owner', nobody.email)).json).toEqual({ podcasts: [] });
  });
});

describe('podcast delete', () => {
  it('asks for --yes', async () => {
    const refused = await run('podcast', 'delete', slug);
    expect(refused).toMatchObject({
      code: 1,
      json: undefined,
      said: expect.stringMatching(/"A show".*Add --yes/),
    });
    expect((await get(`/v1/podcasts/${slug}`)).statusCode).toBe(200);
  });

  it('asks on a terminal', async () => {
    const ask = vi.fn(async () => 'no');
    const kept = await runCommand(app, ['podcast', 'delete', slug], { canAsk: true, ask });
    expect(kept).toMatchObject({ code: 1, said: 'Nothing was deleted.\n' });
    expect(ask).toHaveBeenCalledWith(expect.stringMatching(/"A show".*\[y\/N\] $/));
    expect((await get(`/v1/podcasts/${slug}`)).statusCode).toBe(200);
  });

  // CLI-16, STATE-12
  it('removes all rows, and keeps the slugs for ever', async () => {
    await set(`slug=${slug}-new`, 'artwork=cover.png', 'people=[{"name":"Bo"}]');
    const episode = await makeEpisode(app.ctx, await getPodcast(app.ctx, id));
    await attachTone(app.ctx, episode.id, 1);
    const { key, secret } = await makeKey(app.ctx, owner, { podcasts: [id] });
    const addresses = [
      `/v1/podcasts/${slug}-new`,
      `/v1/episodes/${episode.id}`,
      `/feeds/${slug}-new.xml`,
      `/feeds/${slug}.xml`,
      `/listen/${slug}-new`,
      `/ep/${episode.id}`,
    ];
    for (const address of addresses) expect((await get(address)).statusCode).toBeLessThan(400);

    const deleted = await run('podcast', 'delete', id, '--yes');
    expect(deleted.json).toEqual({
      id,
      slug: `${slug}-new`,
      title: 'A show',
      episodes: 1,
      deleted: true,
    });
    for (const address of addresses) expect((await get(address)).statusCode, address).toBe(404);
    for (const taken of [slug, `${slug}-new`]) {
      const argv = ['--owner', owner.email, '--title', 'T', '--slug', taken];
      expect(await run('podcast', 'create', ...argv)).toMatchObject({
        code: 1,
        said: expect.stringMatching(/is taken\. Choose another one\. Use --slug\./),
      });
    }
    const headers = { authorization: `Bearer ${secret}` };
    const me = await app.request({ method: 'GET', url: '/v1/me', headers });
    expect(me.json().data.key).toMatchObject({ id: key.id, podcasts: [] });
    expect(await run('podcast', 'delete', id, '--yes')).toMatchObject({ code: 1 });
  });
});
