import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countStatements } from '../../../../test/count-statements.ts';
import {
  pictureBytes,
  type TestItem,
  toneBytes,
  writeTestFeed,
} from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { importFeed } from './import-feed.ts';
import { ItemMemory } from './read/item-memory.ts';
import { ItemSpool } from './read/item-spool.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(async () => {
  expect(await readdir(fixture.test.ctx.blobs.scratchDir)).toEqual([]);
  await fixture[Symbol.asyncDispose]();
});

/** Eleven bytes of the feed become 60 of show notes, and more as plain text. */
const inflating = `<content:encoded>${'http://a.b '.repeat(1_000)}</content:encoded>`;
const item = (name: string, xml = inflating): TestItem => ({
  ...{ guid: name, title: `Episode ${name}`, date: '01 Jan 2020 10:00:00 GMT' },
  ...{ audio: `https://cdn.example/${name}.mp3`, xml },
});

/** Some pages, each with one episode, the first at /feed.xml. */
function servePages(count: number): void {
  const { host } = fixture;
  for (let at = 1; at <= count; at += 1) {
    const next = `<atom:link rel="next" href="${host.url}/${at + 1}.xml"/>`;
    const channel = at < count ? next : '';
    const path = at === 1 ? '/feed.xml' : `/${at}.xml`;
    host.serve(path, writeTestFeed({ channel, items: [item(`${at}`)] }));
  }
}

const titlesOf = async (podcastId: string | null) =>
  (await fixture.episodesOf(podcastId)).map(({ title }) => title).toSorted();

describe('texts that become much longer', () => {
  // IMPORT-10
  it('texts that become much longer are imported as a whole, page by page', async () => {
    servePages(3);
    const report = await fixture.run({ copyAudio: false });
    expect(report).toMatchObject({ created: 3, failed: 0, warnings: [] });
    const rows = await fixture.episodesOf(report.podcast.id);
    for (const { show_notes_html: notes } of rows) expect(notes?.length).toBeGreaterThan(50_000);
    expect(await fixture.run({ copyAudio: false })).toMatchObject({ unchanged: 3 });
  });

  // IMPORT-10
  it('texts that become much longer than all pages may have are left out, with a warning', async () => {
    servePages(4);
    const limits = { itemBytes: 200_000 };
    const report = await fixture.run({ copyAudio: false, limits });
    expect(await titlesOf(report.podcast.id)).toEqual(['Episode 1', 'Episode 2']);
    expect(report.warnings).toMatchObject([
      { reason: 'page_unreachable', message: expect.stringContaining('more than 0.2 MB') },
    ]);
  });

  // IMPORT-10
  it('texts that become much longer on the only page refuse the import', async () => {
    servePages(1);
    const limits = { itemBytes: 50_000 };
    const refused = await refusalOf(fixture.run({ copyAudio: false, limits }));
    expect(refused).toMatchObject({ details: [{ reason: 'too_large' }] });
    expect(refused.message).toContain('shorter show notes');
  });
});

/** The items of feeds in the temporary files of this process. */
async function spooledBytes(): Promise<number> {
  const folder = '/proc/self/fd';
  const sizes = (await readdir(folder)).map(async (number) => {
    const path = join(folder, number);
    const isSpool = (await readlink(path)).includes('/items-');
    return isSpool ? (await stat(path)).size : 0;
  });
  const found = await Promise.all(sizes.map((size) => size.catch(() => 0)));
  return found.reduce((sum, size) => sum + size, 0);
}

describe('the disk that an import needs', () => {
  // IMPORT-10
  it.runIf(process.platform === 'linux')(
    'the disk that an import needs for texts is free again while it copies the audio',
    async () => {
      const { host } = fixture;
      const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const sound = await toneBytes(1);
      host.respond('/slow.mp3', async (_request, response) => {
        asked.resolve();
        await answer.promise;
        response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(sound);
      });
      let before = 0;
      host.respond('/words.vtt', async (_request, response) => {
        before = await spooledBytes();
        response.end('WEBVTT\n\n00:01.000 --> 00:02.000\nWords\n');
      });
      const words = `<podcast:transcript url="${host.url}/words.vtt" type="text/vtt"/>`;
      const audio = `${host.url}/slow.mp3`;
      const items = [{ ...item('slow', inflating + words), audio }];
      host.serve('/feed.xml', writeTestFeed({ items }));
      const first = fixture.run();
      await asked.promise;
      expect(before).toBeGreaterThan(50_000);
      expect(await spooledBytes()).toBeLessThan(2_000);
      answer.resolve();
      const report = { created: 1, failed: 0, warnings: [], audio: { files: 1 } };
      expect(await first).toMatchObject(report);
    },
  );

  // IMPORT-10
  it('the disk that an import needs is counted without a page that is not used', async () => {
    const limits = { itemBytes: 1_000, itemMemory: new ItemMemory() };
    await using spool = await ItemSpool.open(fixture.test.ctx, limits);
    const part = { items: Buffer.alloc(600), heads: Buffer.alloc(100) };
    const parts = [await spool.add(part)];
    spool.count(50);
    spool.drop({ parts, heldBytes: 50 });
    expect(spool.heldBytes).toBe(0);
    const other = await spool.add({ ...part, items: Buffer.alloc(900, 'other') });
    expect((await spool.read(other.at, 10)).toString()).toBe('otherother');
    await expect(spool.add({ ...part, items: Buffer.alloc(1) })).rejects.toMatchObject({
      details: [{ reason: 'too_large' }],
    });
  });
});

// IMPORT-6
it('a report counts all items of all pages that are left out, of which it lists 1,000', async () => {
  const { host } = fixture;
  const empty = '<item><guid>https://cdn.example/?token=hush</guid></item>'.repeat(700);
  const next = `<atom:link rel="next" href="${host.url}/2.xml"/>`;
  const items = [item('1', '')];
  host.serve('/feed.xml', writeTestFeed({ channel: next + empty, items }));
  host.serve('/2.xml', writeTestFeed({ channel: empty, items: [item('2', '')] }));
  for (const dryRun of [true, false]) {
    const report = await fixture.run({ copyAudio: false, dryRun });
    expect(report).toMatchObject({ created: 2, failed: 1_400, omitted: 400 });
    expect(report.problems).toHaveLength(1_000);
    expect(report.problems[999]).toMatchObject({ guid: null, reason: 'empty' });
  }
});

describe('the memory of two large imports', () => {
  const many = Array.from({ length: 40 }, (_, at) => item(`${at}`, ''));

  // IMPORT-10
  it('the memory of two large imports is never that of both at once', async () => {
    const { host } = fixture;
    const memory = new ItemMemory({ mostBytes: 100_000, freeBytes: 0 });
    const limits = { itemMemory: memory };
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const picture = await pictureBytes('red');
    host.respond('/cover.png', async (_request, response) => {
      asked.resolve();
      await answer.promise;
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
    });
    const cover = `<itunes:image href="${host.url}/cover.png"/>`;
    host.serve('/feed.xml', writeTestFeed({ channel: cover, items: many }));
    host.serve('/other.xml', writeTestFeed({ title: 'Other', items: many }));
    const first = fixture.run({ copyAudio: false, limits });
    await asked.promise;
    const needed = memory.takenBytes;
    expect(needed).toBeGreaterThan(50_000);
    const waiting = Promise.withResolvers<void>();
    const second = fixture.run({
      ...{ source: { url: `${host.url}/other.xml` }, copyAudio: false, limits },
      onProgress: ({ phase }) => phase === 'waiting' && waiting.resolve(),
    });
    await waiting.promise;
    expect(memory.takenBytes).toBe(needed);
    answer.resolve();
    expect(await Promise.all([first, second])).toMatchObject([{ created: 40 }, { created: 40 }]);
    expect(memory.takenBytes).toBe(0);
  });

  // IMPORT-10
  it('the memory of two large imports is free again while one copies its audio', async () => {
    const { host } = fixture;
    const memory = new ItemMemory({ mostBytes: 100_000, freeBytes: 0 });
    const limits = { itemMemory: memory };
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sound = await toneBytes(1);
    host.respond('/slow.mp3', async (_request, response) => {
      asked.resolve();
      await answer.promise;
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(sound);
    });
    const audio = `${host.url}/slow.mp3`;
    host.serve('/feed.xml', writeTestFeed({ items: [{ guid: 'slow', title: 'Slow', audio }] }));
    host.serve('/other.xml', writeTestFeed({ title: 'Other', items: many }));
    const first = fixture.run({ limits });
    await asked.promise;
    expect(memory.takenBytes).toBe(0);
    const source = { url: `${host.url}/other.xml` };
    expect(await fixture.run({ source, copyAudio: false, limits })).toMatchObject({ created: 40 });
    answer.resolve();
    expect(await first).toMatchObject({ created: 1, failed: 0, audio: { files: 1 } });
  });

  // IMPORT-10
  it('the memory of two large imports is not that of an import which needs more than there is', async () => {
    const itemMemory = new ItemMemory({ mostBytes: 20_000, freeBytes: 0 });
    fixture.host.serve('/feed.xml', writeTestFeed({ items: many }));
    const refused = await refusalOf(fixture.run({ copyAudio: false, limits: { itemMemory } }));
    expect(refused).toMatchObject({ details: [{ reason: 'too_large' }] });
    expect(refused.message).toContain('Import a feed with fewer episodes');
    expect(itemMemory.takenBytes).toBe(0);
  });
});

// IMPORT-1
it('episodes of a show that had many more are recognized, and deleted ones stay deleted', async () => {
  const { podcast } = await (() => {
    const items = [item('first', ''), item('second', '')];
    fixture.host.serve('/feed.xml', writeTestFeed({ items }));
    return fixture.run({ copyAudio: false });
  })();
  await fixture.rows(
    `insert into deleted_episodes (podcast_id, episode_id, guid, source_key, deleted_at)
     select $1, gen_random_uuid(), 'gone-' || n, 'gone-' || n, now() from generate_series(1, 2500) n`,
    [podcast.id],
  );
  await fixture.rows(
    `insert into episodes (id, podcast_id, slug, title, description, episode_number, status,
       published_at, status_changed_at, created_at, updated_at, media_name, source_key)
     select gen_random_uuid(), $1, 'e-' || n, 'Another', '', n, 'published',
       '2020-01-01'::timestamptz + (n / 700) * interval '1 second', now(), '2020-01-01', now(), 'e-' || n,
       'key-' || n
     from generate_series(10, 2500) n`,
    [podcast.id],
  );
  const items = ['first', 'second', 'key-10', 'key-1500', 'key-2500', 'gone-1', 'gone-2500'];
  fixture.host.serve('/feed.xml', writeTestFeed({ items: items.map((name) => item(name, '')) }));
  const report = await fixture.run({ copyAudio: false });
  expect(report).toMatchObject({ created: 0, failed: 0 });
  const deleted = report.conflicts.filter(({ reason }) => reason === 'deleted_here');
  expect(deleted.map(({ guid }) => guid).toSorted()).toEqual(['gone-1', 'gone-2500']);
});

// IMPORT-1
it('a show whose episodes were deleted here is imported again without a statement for each', async () => {
  const { host, owner, test } = fixture;
  host.serve('/feed.xml', writeTestFeed({ items: [item('first', '')] }));
  const { podcast } = await fixture.run({ copyAudio: false });
  await fixture.rows(
    `insert into deleted_episodes (podcast_id, episode_id, guid, source_key, deleted_at)
     select $1, gen_random_uuid(), 'gone-' || n, 'gone-' || n, now() from generate_series(1, 1200) n`,
    [podcast.id],
  );
  const gone = Array.from({ length: 1200 }, (_, at) => item(`gone-${at + 1}`, ''));
  host.serve('/feed.xml', writeTestFeed({ items: [...gone, item('first', '')] }));
  const counted = countStatements(test.ctx);
  const source = { url: `${host.url}/feed.xml` };
  let done = 0;
  const report = await importFeed(counted.ctx, {
    ...{ source, owner, copyAudio: false },
    onProgress: (progress) => {
      if (progress.phase === 'episodes') done = progress.done;
    },
  });
  expect(report).toMatchObject({ created: 0, failed: 0, unchanged: 1201 });
  expect(done).toBe(1201);
  expect(counted.count()).toBeLessThan(200);
});
