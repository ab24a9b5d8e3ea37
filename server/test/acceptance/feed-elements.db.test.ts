import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFeed } from '../../src/domain/exchange/imports/index.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { attachImage, setPodcastArtwork } from '../../src/domain/publishing/images/index.ts';
import { addMember, type Podcast } from '../../src/domain/publishing/podcasts/index.ts';
import { type ElementOwner, elementsOf, feedElements } from '../../src/lib/fields/feed-elements.ts';
import { wireNames } from '../../src/lib/wire-names.ts';
import { type Browser, createBrowser } from '../create-browser.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { someEntry } from '../element-entries.ts';
import { loadSeed } from '../load-seed.ts';
import { makeEpisode, makePodcast, makeUser } from '../make.ts';
import { noNetwork } from '../no-network.ts';
import { runCommand } from '../run-command.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'podstead-elements-'));
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const readFeed = async (slug: string, { request }: TestApp = app) =>
  (await request({ method: 'GET', url: `/feeds/${slug}.xml` })).body;

/** The lines of a feed that are elements of the list. */
function elementLines(feed: string): string[] {
  const names = Object.values(feedElements).map((spec) =>
    'within' in spec ? spec.within : spec.element,
  );
  const start = new RegExp(`^<(?:${names.join('|')})[ >/]`);
  // Cards are written without an entry.
  return feed.split('\n').filter((line) => start.test(line) && !line.includes('/cards/'));
}

describe('every element of the list', () => {
  /** Some entries of every element, under the names of seed files. */
  function someElements(owner: ElementOwner, seed: number): Record<string, unknown> {
    const lists = elementsOf(owner).map(([name, { most }]) => {
      const entries = fc.uniqueArray(someEntry(name, owner), {
        minLength: 1,
        maxLength: Math.min(most, 2),
        selector: (entry) => JSON.stringify(entry),
      });
      return [name, fc.sample(entries, { numRuns: 1, seed })[0]];
    });
    return wireNames(Object.fromEntries(lists));
  }

  async function seedShow(slug: string, ofShow: object, ofEpisode: object) {
    const audio = { tone_seconds: 20 };
    const episode = { ref: 'e', slug: 'one', title: 'One', status: 'published', audio };
    const email = `${slug}@example.com`;
    const show = { ref: 's', owner: 'u', slug, title: 'Show', ...ofShow };
    const { podcasts } = await loadSeed(app, folder, {
      users: [{ ref: 'u', email, password: 'correct horse battery' }],
      podcasts: [{ ...show, episodes: [{ ...episode, ...ofEpisode }] }],
    });
    return podcasts['s']?.episodes['e']?.id ?? '';
  }

  async function importElsewhere(bytes: Buffer): Promise<string> {
    const elsewhere = await createTestApp(
      { BASE_URL: 'http://elsewhere.local' },
      { outbound: noNetwork },
    );
    await using _ = elsewhere;
    const owner = await makeUser(elsewhere.ctx);
    const { podcast } = await importFeed(elsewhere.ctx, {
      source: { bytes },
      owner,
      copyAudio: false,
    });
    return readFeed(podcast.slug, elsewhere);
  }

  // FEED-13
  it.each([1, 2, 3, 4])(
    'every element of the list is the same in a seed file, in commands, in the feed, and in the feed after an import (%i)',
    async (seed) => {
      const slug = `list-${seed}`;
      const [ofShow, ofEpisode] = [someElements('show', seed), someElements('episode', seed)];
      const episodeId = await seedShow(slug, ofShow, ofEpisode);
      const shown = await runCommand(app, ['podcast', 'show', slug]);
      expect(shown.json).toMatchObject(ofShow);
      const episode = await runCommand(app, ['episode', 'show', episodeId]);
      expect(episode.json).toMatchObject(ofEpisode);

      const feed = await readFeed(slug);
      const lines = elementLines(feed);
      const entries = [...Object.entries(ofShow), ...Object.entries(ofEpisode)];
      const podroll = (ofShow['podroll'] as unknown[]).length - 1;
      const count = entries.reduce((sum, [, list]) => sum + (list as unknown[]).length, -podroll);
      expect(lines).toHaveLength(count);
      expect(elementLines(await importElsewhere(Buffer.from(feed)))).toEqual(lines);
    },
  );

  // SEED-8
  it('a seed file with a wrong value is refused with its path, and leaves nothing behind', async () => {
    const place = [{ text: 'Oslo' }, { text: 'X', geo: '1,2' }];
    await expect(seedShow('wrong', { location: place }, {})).rejects.toMatchObject({
      details: [{ field: 'podcasts[0].location[1].geo' }],
    });
    await expect(
      seedShow('wrong', {}, { soundbite: [{ start_time: 19, duration: 5 }] }),
    ).rejects.toMatchObject({
      details: [{ field: 'podcasts[0].episodes[0].soundbite[0].duration' }],
    });
    await expect(
      seedShow('wrong', { location: [{ text: 'X', planet: 'Mars' }] }, {}),
    ).rejects.toThrow();
    expect((await app.request({ method: 'GET', url: '/feeds/wrong.xml' })).statusCode).toBe(404);
  });
});

describe('elements in the private API', () => {
  let show: Podcast;
  let browser: Browser;
  beforeAll(async () => {
    const owner = await makeUser(app.ctx);
    show = await makePodcast(app.ctx, {
      owner,
      extraElements: [{ name: 'podcast:chat', attributes: [], text: 'x', children: [] }],
    });
    browser = createBrowser(app);
    await browser.signIn(owner.email);
  });
  const patch = (id: string, body: object, revision = '*') =>
    browser.send('PATCH', id, body, { 'if-match': revision });

  // FEED-13
  it('lists of a show are replaced one by one, and all other elements stay', async () => {
    const url = `/app/api/podcasts/${show.id}`;
    const location = [{ text: 'Oslo', rel: 'subject' }];
    const license = [{ text: 'cc-by-4.0' }];
    const first = await patch(url, { location });
    expect(first.json().data).toMatchObject({ location, license: [], extra_element_count: 2 });
    expect((await patch(url, { license })).json().data).toMatchObject({ location, license });
    expect((await patch(url, { location: [] })).json().data).toMatchObject({
      location: [],
      license,
    });
    expect(await readFeed(show.slug)).toContain(
      '<podcast:chat>x</podcast:chat>\n<podcast:license>',
    );
  });

  it('an expiry or another text of an element that is only blanks is the same as none', async () => {
    const url = `/app/api/podcasts/${show.id}`;
    for (const blank of ['   ', '\t', '\u2028']) {
      const txt = [{ text: 'x', purpose: blank, expires: blank }];
      expect((await patch(url, { txt })).json().data.txt).toEqual([{ text: 'x' }]);
    }
    const trailer = [{ text: 'x', url: 'https://a.example/', pubdate: ' ' }];
    const refused = await patch(url, { trailer });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.details).toMatchObject([{ field: 'trailer[0].pubdate' }]);
  });

  it('a write over an old version is refused, and names the list that has changed', async () => {
    const url = `/app/api/podcasts/${show.id}`;
    const { revision } = (await browser.get(url)).json().data;
    const txt = [{ text: '05124', purpose: 'applepodcastsverify' }];
    expect((await patch(url, { txt }, `"${revision}"`)).statusCode).toBe(200);
    const refused = await patch(url, { license: [] }, `"${revision}"`);
    expect(refused.statusCode).toBe(412);
    expect(refused.json().error.details).toMatchObject([{ field: 'txt', reason: 'changed' }]);
    const { revision: now } = (await browser.get(url)).json().data;
    expect((await patch(url, { txt }, `"${now}"`)).json().data.revision).toBe(now);
  });

  it('a wrong value is refused with its name', async () => {
    const episode = await makeEpisode(app.ctx, show);
    await attachTone(app.ctx, episode.id, 10);
    const url = `/app/api/episodes/${episode.id}`;
    const soundbite = [{ start_time: 5, duration: 5 }];
    expect((await patch(url, { soundbite })).json().data.soundbite).toEqual(soundbite);
    const late = await patch(url, { soundbite: [...soundbite, { start_time: 8, duration: 5 }] });
    expect(late.statusCode).toBe(400);
    expect(late.json().error.details).toMatchObject([
      { field: 'soundbite[1].duration', message_key: 'soundbite_end', values: { seconds: 10 } },
    ]);
    const broken = await patch(url, { location: [{ text: 'half an emoji: \ud83d' }] });
    expect(broken.json().data.location).toEqual([{ text: 'half an emoji: \ufffd' }]);
    const wrong = await patch(url, { location: [{ text: 'X', country: 'uk' }] });
    expect(wrong.json().error.details).toMatchObject([{ field: 'location[0].country' }]);
    expect((await patch(url, { trailer: [] })).statusCode).toBe(400);
    expect((await patch(url, { funding: [{ url: 'https://a.example/' }] })).statusCode).toBe(400);
  });

  it('a member who may not edit the show cannot change its elements', async () => {
    const cohost = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: show.id, userId: cohost.id, role: 'cohost' });
    const other = createBrowser(app);
    await other.signIn(cohost.email);
    const url = `/app/api/podcasts/${show.id}`;
    const response = await other.send('PATCH', url, { location: [] }, { 'if-match': '*' });
    expect(response.statusCode).toBe(403);
  });
});

// FEED-14
it('a text with an expiry leaves the feed at its second, with another ETag', async () => {
  const now = app.clock.now().getTime();
  const expires = new Date(now + 60_000).toISOString();
  const txt = [{ text: '05124', purpose: 'applepodcastsverify', expires }];
  const { slug } = await makePodcast(app.ctx, { txt });
  const read = () => app.request({ method: 'GET', url: `/feeds/${slug}.xml` });
  const line = '<podcast:txt purpose="applepodcastsverify">05124</podcast:txt>';
  const builtAt = (feed: string) => Date.parse(/<lastBuildDate>([^<]+)/.exec(feed)?.[1] ?? '');
  try {
    app.clock.set(new Date(now + 59_999));
    const before = await read();
    expect(before.body).toContain(line);
    expect(before.body).not.toContain('expires');
    app.clock.set(new Date(now + 60_000));
    const after = await read();
    expect(after.body).not.toContain('podcast:txt');
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(builtAt(after.body)).toBe(Math.floor((now + 60_000) / 1000) * 1000);
    expect(builtAt(before.body)).toBeLessThan(builtAt(after.body));
  } finally {
    app.clock.reset();
  }
});

// FEED-12
it('the feed has the artwork in its sizes once, and imported pictures of other purposes', async () => {
  const image = (attributes: Readonly<Record<string, string>>, name = 'podcast:image') => {
    return { name, attributes: Object.entries(attributes), text: '', children: [] };
  };
  const href = 'https://a.example/1.jpg';
  const podcast = await makePodcast(app.ctx, {
    extraElements: [
      image({ href }),
      image({ href, purpose: 'artwork', 'aspect-ratio': '1/1' }),
      image({ href, purpose: 'artwork', 'aspect-ratio': '16/9' }),
      image({ href, purpose: 'social' }),
      image({ href, type: 'video/mp4' }),
      image({ srcset: `${href} 600w` }, 'podcast:images'),
    ],
  });
  const lines = async () =>
    (await readFeed(podcast.slug)).split('\n').filter((line) => line.startsWith('<podcast:image'));
  expect(await lines()).toHaveLength(6);
  const plain = { width: 700, height: 700, channels: 3, background: '#336699' } as const;
  const picture = await sharp({ create: plain }).png().toBuffer();
  const { id } = await attachImage(app.ctx, { podcastId: podcast.id, bytes: picture });
  await setPodcastArtwork(app.ctx, podcast.id, id);
  const at = `http://test.local/images/${id}`;
  const own = (file: string, size: number, type = 'image/jpeg') =>
    `<podcast:image href="${at}${file}" purpose="artwork" aspect-ratio="1/1" width="${size}" height="${size}" type="${type}"/>`;
  await expect
    .poll(lines)
    .toEqual([
      own('.png', 700, 'image/png'),
      own('/640.jpg', 640),
      own('/320.jpg', 320),
      own('/160.jpg', 160),
      `<podcast:images srcset="${at}.png 700w, ${at}/640.jpg 640w, ${at}/320.jpg 320w, ${at}/160.jpg 160w"/>`,
      `<podcast:image href="${href}" purpose="artwork" aspect-ratio="16/9"/>`,
      `<podcast:image href="${href}" purpose="social"/>`,
      `<podcast:image href="${href}" type="video/mp4"/>`,
    ]);
});

// CLI-7
it('commands set a list from JSON, and null empties it', async () => {
  const { slug } = await makePodcast(app.ctx);
  const set = async (value: string) => {
    const { code, json, said } = await runCommand(app, ['podcast', 'set', slug, value]);
    return code === 0 ? json.location : said;
  };
  const oslo = { text: 'Oslo', rel: 'subject', geo: 'geo:59.9,10.7' };
  expect(await set(`location=${JSON.stringify([oslo])}`)).toEqual([oslo]);
  expect(await set('location=[{"text":"Oslo","rel":"near"}]')).toContain('location[0].rel');
  expect(await set('location=[{"name":"Oslo"}]')).toContain('location[0]');
  const broken = String.raw`location=[{"text":"Osl\ud83d","rel":"subject"}]`;
  expect(await set(broken)).toEqual([{ text: 'Osl\ufffd', rel: 'subject' }]);
  expect(await set('location=null')).toEqual([]);
});
