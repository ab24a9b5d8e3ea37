import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { podcastGuid } from '../../../lib/uuid.ts';
import { updatePodcast } from '../../publishing/podcasts/index.ts';
import { type FeedToImport, importFeed } from './index.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const item = (number: number) => ({
  guid: `${number}`,
  title: `Episode ${number}`,
  date: `0${number} Jan 2020 10:00:00 GMT`,
  audio: `https://cdn.example/${number}.mp3`,
});

const run = (input: Partial<FeedToImport> = {}) => fixture.run({ copyAudio: false, ...input });

function serve(path: string, numbers: readonly number[], channel = '', title = 'Night Signals') {
  const feed = writeTestFeed({ title, channel, items: numbers.map(item) });
  fixture.host.serve(path, feed, 'application/rss+xml');
}

function redirect(path: string, to: string, status: number) {
  fixture.host.respond(path, (_request, response) =>
    response.writeHead(status, { location: to }).end(),
  );
}

const titlesOf = async (podcastId: string | null) =>
  (await fixture.episodesOf(podcastId)).map(({ title }) => title);
const urlOf = (path: string) => `${fixture.host.url}${path}`;
const next = (path: string) => `<atom:link rel="next" href="${urlOf(path)}"/>`;

describe('a web page', () => {
  const link = (href: string) => `<link rel="Alternate" type="application/rss+xml" href="${href}">`;
  const page = (path: string, head: string) =>
    fixture.host.serve(path, `<!doctype html><html><head>${head}</head></html>`, 'text/html');
  const runPage = () => run({ source: { url: urlOf('/page') } });

  it('a web page redirects to the first feed with audio that it names', async () => {
    const blog = writeTestFeed({ title: 'Blog', items: [{ guid: 'p', title: 'Words' }] });
    fixture.host.serve('/blog.xml', blog, 'application/rss+xml');
    serve('/feed.xml', [2, 1]);
    page('/page', link('ftp://a.example/') + link('blog.xml') + link('/feed.xml'));
    const report = await runPage();
    expect(report).toMatchObject({ created: 2, podcast: { title: 'Night Signals' } });
    const message = `This is a web page. Its feed at ${urlOf('/feed.xml')} was read. It names 1 more.`;
    expect(report.warnings).toMatchObject([{ reason: 'feed_found', message }]);
    // It is the same show as by the feed's own URL, and the page itself is none of its URLs.
    expect(await run()).toMatchObject({ created: 0, unchanged: 2, warnings: [] });
    serve('/other.xml', [2, 1], '', 'Another show');
    page('/page', link('/other.xml'));
    expect(await runPage()).toMatchObject({ created: 2, podcast: { title: 'Another show' } });
  });

  it('a page of Apple Podcasts leads to the feed that its data names, also at its end or in a file', async () => {
    serve('/feed.xml', [2, 1]);
    const data = JSON.stringify([{ data: { feedUrl: urlOf('/feed.xml') } }]);
    const scripts = `${'<p>long</p>'.repeat(60_000)}<script type="application/json">${data}</script>`;
    page('/page', scripts);
    expect(await runPage()).toMatchObject({ created: 2, podcast: { title: 'Night Signals' } });
    const bytes = Buffer.from(`<!doctype html><html><body>${scripts}</body></html>`);
    const report = await run({ source: { bytes } });
    expect(report).toMatchObject({
      created: 0,
      unchanged: 2,
      warnings: [{ reason: 'feed_found' }],
    });
  });

  it.each([
    ['no feed', ''],
    ['a feed that is a page', link('/page')],
    ['a feed that is missing', link('/missing.xml')],
  ])('a web page that names %s is refused', async (_name, head) => {
    page('/page', head);
    await expect(runPage()).rejects.toMatchObject({ details: [{ reason: 'html' }] });
  });
});

describe('a feed in pages', () => {
  it('a feed in pages is read to its last page, as one feed', async () => {
    serve('/feed.xml', [6, 5], next('/feed.xml?page=2'));
    serve('/feed.xml?page=2', [4, 3, 5], next('/feed.xml?page=3'));
    serve('/feed.xml?page=3', [2, 1], next('/feed.xml'));
    const report = await run();
    expect(report).toMatchObject({ created: 6, failed: 1, warnings: [] });
    expect(report.problems).toMatchObject([{ guid: '5', reason: 'duplicate_guid' }]);
    expect(await titlesOf(report.podcast.id)).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `Episode ${number}`),
    );
    expect(await run()).toMatchObject({ created: 0, unchanged: 6 });
  });

  it('a feed in pages is imported up to the page that cannot be read', async () => {
    serve('/feed.xml', [2], next('/missing.xml'));
    const report = await run();
    expect(report).toMatchObject({ created: 1, failed: 0 });
    expect(report.warnings).toMatchObject([{ reason: 'page_unreachable' }]);
  });

  it('a feed in pages is limited in pages and in total size', async () => {
    serve('/feed.xml', [1], next('/p2'));
    serve('/p2', [2], next('/p3'));
    serve('/p3', [3], next('/p4'));
    const few = await run({ limits: { feedPages: 2 } });
    expect(few).toMatchObject({ created: 2, warnings: [{ reason: 'too_many_pages' }] });
    const small = await run({ limits: { feedBytes: 2000 } });
    expect(small).toMatchObject({ failed: 0, warnings: [{ reason: 'page_unreachable' }] });
  });
});

describe('a feed that has moved', () => {
  it('a feed that has moved is stored under its new address after a permanent redirect', async () => {
    serve('/new.xml', [1]);
    redirect('/feed.xml', '/new.xml', 301);
    const { podcast } = await run();
    expect(podcast.guid).toBe(podcastGuid(urlOf('/feed.xml')));
    const [row] = await fixture.rows<{ source_url: string }>('select source_url from imports');
    expect(row?.source_url).toBe(urlOf('/new.xml'));
    const again = await run({ source: { url: urlOf('/new.xml') } });
    expect(again).toMatchObject({ created: 0, unchanged: 1, podcast: { id: podcast.id } });
  });

  it('a feed that has moved is stored under its old address after a temporary redirect', async () => {
    serve('/new.xml', [1]);
    redirect('/feed.xml', '/new.xml', 302);
    await run();
    const [row] = await fixture.rows<{ source_url: string }>('select source_url from imports');
    expect(row?.source_url).toBe(urlOf('/feed.xml'));
  });

  it('a feed that has moved is read from its itunes:new-feed-url, which is followed only once', async () => {
    const moved = (path: string) => `<itunes:new-feed-url>${urlOf(path)}</itunes:new-feed-url>`;
    serve('/feed.xml', [1], moved('/new.xml'));
    serve('/new.xml', [2, 1], moved('/newer.xml'));
    serve('/newer.xml', [3]);
    const report = await run();
    expect(report).toMatchObject({ created: 2, warnings: [{ reason: 'feed_moved' }] });
    expect(fixture.host.requested()).toEqual(['/feed.xml', '/new.xml']);
  });

  it('a feed that has moved is read from its own address when both feeds name each other', async () => {
    const moved = (path: string) => `<itunes:new-feed-url>${urlOf(path)}</itunes:new-feed-url>`;
    serve('/feed.xml', [1], moved('/other.xml'));
    serve('/other.xml', [3, 2], moved('/feed.xml'));
    const one = await run();
    expect(one).toMatchObject({ created: 1, warnings: [{ reason: 'feed_moved' }] });
    const other = await run({ source: { url: urlOf('/other.xml') } });
    expect(other).toMatchObject({ created: 2, warnings: [{ reason: 'feed_moved' }] });
    expect(other.podcast.id).not.toBe(one.podcast.id);
  });

  it('a feed that has moved is read from its own address when the new one fails or is ours', async () => {
    const moved = (url: string) => `<itunes:new-feed-url>${url}</itunes:new-feed-url>`;
    serve('/feed.xml', [1], moved(urlOf('/gone.xml')));
    expect(await run()).toMatchObject({ created: 1, warnings: [{ reason: 'feed_moved' }] });
    serve('/feed.xml', [1], moved('http://test.local/feeds/night-signals.xml'));
    fixture.host.purge();
    expect(await run()).toMatchObject({
      unchanged: 1,
      warnings: [{ reason: 'feed_moved' }],
    });
  });

  it('updates the same show when another host has the same GUID', async () => {
    const guid = '<podcast:guid>917393E3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>';
    serve('/feed.xml', [1], guid);
    serve('/elsewhere.xml', [2, 1], guid, 'Renamed');
    const { podcast } = await run();
    const again = await run({ source: { url: urlOf('/elsewhere.xml') } });
    expect(again).toMatchObject({ created: 1, unchanged: 1, podcast: { id: podcast.id } });
    expect(again.podcast).toMatchObject({ slug: 'night-signals', outcome: 'updated' });
  });

  it('updates the same show when it gets a GUID later', async () => {
    serve('/feed.xml', [1]);
    const { podcast } = await run();
    serve('/feed.xml', [1], '<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>');
    expect(await run()).toMatchObject({ podcast: { id: podcast.id, guid: podcast.guid } });
  });
});

describe('a file', () => {
  it('a file is imported like a feed, and only once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podstead-feed-'));
    try {
      const path = join(folder, 'feed.xml');
      await writeFile(path, writeTestFeed({ items: [item(1)] }));
      const { podcast } = await run({ source: { path } });
      expect(podcast.guid).toBe(podcastGuid('http://test.local/feeds/night-signals.xml'));
      await writeFile(path, writeTestFeed({ items: [item(2), item(1)] }));
      expect(await run({ source: { path } })).toMatchObject({
        created: 1,
        unchanged: 1,
        podcast: { id: podcast.id },
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('a file gets its GUID from its atom self link', async () => {
    const channel = '<atom:link rel="self" href="https://feeds.example/show/"/>';
    const bytes = Buffer.from(writeTestFeed({ channel, items: [] }));
    const report = await run({ source: { bytes } });
    expect(report.podcast.guid).toBe(podcastGuid('https://feeds.example/show'));
    expect(report.warnings).toMatchObject([{ reason: 'no_items' }]);
  });
});

describe('the podcast that a feed is imported into', () => {
  it('the podcast that a feed is imported into gets the requested slug, or a numbered one, and never a taken one', async () => {
    await makePodcast(fixture.test.ctx, { slug: 'night-signals' });
    await makePodcast(fixture.test.ctx, { slug: 'taken', owner: fixture.owner });
    serve('/feed.xml', [1]);
    for (const slug of ['night-signals', 'taken']) {
      await expect(run({ slug })).rejects.toMatchObject({
        details: [{ field: 'slug', reason: 'slug_taken' }],
      });
    }
    const { podcast } = await run();
    expect(podcast.slug).toBe('night-signals-2');
    await expect(run({ slug: 'another' })).rejects.toMatchObject({
      details: [{ field: 'slug', reason: 'podcast_exists' }],
    });
    expect(await run({ slug: 'night-signals-2' })).toMatchObject({ unchanged: 1 });
  });

  it('the podcast that a feed is imported into gets a slug in few tries where thousands have its title', async () => {
    const { ctx, database } = fixture.test;
    const bytes = Buffer.from(writeTestFeed({ items: [] }));
    const first = await run({ source: { bytes } });
    await database.pool.query(
      `insert into podcast_slugs (slug, podcast_id, created_at)
       select 'night-signals-' || n, null, now() from generate_series(2, 1000) n`,
    );
    const other = await makeUser(ctx);
    const queries = vi.spyOn(database.pool, 'connect');
    const own = await run({ source: { bytes }, owner: { email: other.email } });
    expect(queries.mock.calls.length).toBeLessThan(200);
    queries.mockRestore();
    expect(own.podcast.slug).toMatch(/^night-signals-\d{4,6}$/);
    // Both are recognized by the GUID that comes from their slug, also after a change of it.
    await updatePodcast(ctx, own.podcast.id ?? '', { slug: 'renamed' });
    for (const [owner, podcast] of [
      [fixture.owner, first.podcast],
      [other, own.podcast],
    ] as const) {
      const again = await run({ source: { bytes }, owner: { email: owner.email } });
      expect(again.podcast.id).toBe(podcast.id);
    }
  });

  it('the podcast that a feed is imported into is a separate show for each account', async () => {
    serve('/feed.xml', [1]);
    const { podcast } = await run();
    const other = await run({ owner: { email: (await makeUser(fixture.test.ctx)).email } });
    expect(other).toMatchObject({ created: 1, podcast: { slug: 'night-signals-2' } });
    expect(other.podcast.guid).toBe(podcast.guid);
  });

  it('the podcast that a feed is imported into has the same episodes when its own feed is imported', async () => {
    const { ctx } = fixture.test;
    const own = await makePodcast(ctx, { owner: fixture.owner, title: 'Night Signals' });
    const episode = await makeEpisode(ctx, own, { title: 'Made here' });
    await updatePodcast(ctx, own.id, { description: 'A show' });
    const channel = `<podcast:guid>${own.guid}</podcast:guid><description>A show</description>`;
    const feed = writeTestFeed({ channel, items: [{ guid: episode.id, title: 'Made here' }] });
    fixture.host.serve('/feed.xml', feed);
    expect(await run()).toMatchObject({ created: 0, podcast: { id: own.id } });
    expect(await titlesOf(own.id)).toEqual(['Made here']);
  });

  it('the podcast that a feed is imported into is refused to users other than its owner', async () => {
    serve('/feed.xml', [1]);
    const ctx = fixture.test.contextFor({
      kind: 'user',
      userId: (await makeUser(fixture.test.ctx)).id,
    });
    const input = { source: { url: urlOf('/feed.xml') }, owner: fixture.owner, copyAudio: false };
    await expect(importFeed(ctx, input)).rejects.toMatchObject({ kind: 'forbidden' });
    const own = fixture.test.contextFor({ kind: 'user', userId: fixture.owner.id });
    expect(await importFeed(own, input)).toMatchObject({ created: 1 });
  });
});
