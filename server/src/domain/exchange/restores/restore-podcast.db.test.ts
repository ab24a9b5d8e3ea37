import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { loadSeed } from '../../../../test/load-seed.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { backedUpSeed } from '../../../../test/use-backups.ts';
import { RowDigest } from '../../../lib/row-digest.ts';
import { addMember } from '../../publishing/podcasts/index.ts';
import { deletePodcast } from '../../service/shows/index.ts';
import { exportPodcast, rowsPath, type ShowManifest, writeExport } from '../exports/index.ts';
import { restorePodcast } from './index.ts';
import { ShowExport } from './show-export.ts';
import { surveyRows } from './survey.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const shared = new AsyncDisposableStack();
let folder: string;
let origin: TestApp;
let target: TestApp;
let podcastId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-exports-'));
  shared.defer(() => rm(folder, { recursive: true, force: true }));
  origin = shared.use(await createTestApp());
  target = shared.use(await createTestApp());
  await writeFile(join(folder, 'cover.png'), pixel);
  const made = await loadSeed(origin, folder, {
    ...backedUpSeed,
    podcasts: backedUpSeed.podcasts.map((show) => ({
      ...show,
      previous_slugs: ['old-signals'],
      artwork: 'cover.png',
      header_image: 'cover.png',
    })),
  });
  podcastId = made.podcasts['night']?.id ?? '';
  await exportTo(origin, podcastId, join(folder, 'export'));
});
afterAll(() => shared.disposeAsync());

async function exportTo(app: TestApp, id: string, to: string, audio = true) {
  const openSnapshot = (tables: readonly string[]) => app.database.openSnapshot(tables);
  const { entries } = await exportPodcast(app.ctx, id, { audio, openSnapshot });
  return await writeExport(app.ctx, entries, to);
}

async function restoreFor(app: TestApp, from: string, slug?: string) {
  const { email } = await makeUser(app.ctx);
  return await restorePodcast(app.ctx, { folder: from, ownerEmail: email, slug });
}

const paths = async (id: string, slug: string) => {
  const urls = [`/feeds/${slug}.xml`, `/listen/${slug}`, `/v1/podcasts/${slug}/episodes`];
  return { urls, audio: `/media/${id}/f/first-light.mp3` };
};

async function read(app: TestApp, url: string) {
  const { statusCode, body, headers } = await app.request({ url });
  return { statusCode, body, etag: headers['etag'] };
}

/** What an installation has: shows, and files. */
async function stock({ ctx }: TestApp) {
  const files: string[] = [];
  for (const family of ['audio', 'images'])
    for await (const batch of ctx.blobs.list(family)) files.push(...batch.map(({ key }) => key));
  const shows = await ctx.db.selectFrom('podcasts').select(['id', 'slug']).execute();
  return { files: files.sort(), shows };
}

describe('restorePodcast', () => {
  it('an exported show is the same in another installation, to the byte of its feed and with its downloads', async () => {
    const restored = await restoreFor(target, join(folder, 'export'));
    // Smaller sizes of the cover, too.
    const pictures = (await stock(origin)).files.filter((key) => key.startsWith('images/'));
    expect((await stock(target)).files).toEqual(expect.arrayContaining(pictures));
    expect(restored).toEqual({
      podcastId,
      slug: 'night-signals',
      episodes: 2,
      files: 2,
      downloads: 2,
      slugsLost: [],
      differences: [],
    });
    const episode = await origin.ctx.db
      .selectFrom('episodes')
      .select('id')
      .where('slug', '=', 'first-light')
      .executeTakeFirstOrThrow();
    const { urls, audio } = await paths(episode.id, 'night-signals');
    for (const url of [...urls, audio]) {
      const there = await read(target, url);
      expect(there, url).toEqual(await read(origin, url));
      expect(there.statusCode, url).toBe(200);
    }
    expect((await target.request({ url: '/listen/old-signals' })).statusCode).toBe(301);
  });

  it('a restored show can be exported again, with the same rows', async () => {
    const again = join(folder, randomUUID());
    await exportTo(target, podcastId, again);
    const digests = async (from: string) =>
      (await readManifest(from)).tables.map(({ name, rows, digest }) => [name, rows, digest]);
    expect(await digests(again)).toEqual(await digests(join(folder, 'export')));
  });

  it('a show that is restored beside itself gets ids and files of its own', async () => {
    const restored = await restoreFor(origin, join(folder, 'export'), 'second-signals');
    expect(restored).toMatchObject({
      slug: 'second-signals',
      episodes: 2,
      downloads: 2,
      slugsLost: expect.arrayContaining(['night-signals', 'old-signals']),
      differences: [],
    });
    expect(restored.podcastId).not.toBe(podcastId);
    await deletePodcast(origin.ctx, restored.podcastId);
    const { body } = await read(origin, '/v1/podcasts/night-signals/episodes');
    expect(JSON.parse(body).data).toHaveLength(1);
  });

  it('two restores at once leave one show, whose files are all there', async () => {
    await using app = await createTestApp();
    const from = join(folder, 'export');
    const both = await Promise.allSettled([
      restoreFor(app, from, 'one'),
      restoreFor(app, from, 'two'),
    ]);
    const { files, shows } = await stock(app);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(shows.length);
    for (const { slug } of shows) expect((await read(app, `/listen/${slug}`)).statusCode).toBe(200);
    const images = await app.ctx.db.selectFrom('images').select('id').execute();
    for (const { id } of images) expect(files).toContain(`images/${id}/original.png`);
  });

  it('a member’s export has no address with a password', async () => {
    const { ctx } = origin;
    const secret = 'https://user:hunter2@audio.example/a.mp3';
    const show = await makePodcast(ctx);
    const episode = await makeEpisode(ctx, show);
    await ctx.db
      .updateTable('episodes')
      .set({ source_key: `enclosure:${secret}`, source_enclosure_url: secret })
      .where('id', '=', episode.id)
      .execute();
    const deleted = { episode_id: randomUUID(), guid: 'x', source_key: `enclosure:${secret}` };
    await ctx.db
      .insertInto('deleted_episodes')
      .values({ podcast_id: show.id, ...deleted, deleted_at: new Date() })
      .execute();
    const { id: userId } = await makeUser(ctx);
    await addMember(ctx, { podcastId: show.id, userId, role: 'admin' });
    const openSnapshot = (tables: readonly string[]) => origin.database.openSnapshot(tables);
    const member = origin.contextFor({ kind: 'user', userId });
    const { entries } = await exportPodcast(member, show.id, { audio: true, openSnapshot });
    const to = join(folder, randomUUID());
    await writeExport(ctx, entries, to);
    for (const path of await readdir(to, { recursive: true })) {
      const text = await readFile(join(to, path), 'utf8').catch(() => '');
      expect(text, path).not.toContain('hunter2');
    }
  });

  it('a show can be restored whatever its members and its feed have entered', async () => {
    const { ctx } = origin;
    const show = await makePodcast(ctx, {
      createdAt: new Date('0001-01-01T00:00:00Z'),
      pageText: `<p>${'x'.repeat(19_000)}</p>`,
    });
    await makeEpisode(ctx, show, {
      episodeNumber: 1_000_000,
      publishedAt: new Date('0800-12-25T00:00:00Z'),
    });
    await makeEpisode(ctx, show);
    const scheduledFor = new Date('9999-12-31T23:59:59.999Z');
    await makeEpisode(ctx, show, { status: 'scheduled', scheduledFor, publishedAt: undefined });
    const to = join(folder, randomUUID());
    await exportTo(origin, show.id, to);
    const restored = await restoreFor(target, to, `re-${show.slug}`);
    expect(restored).toMatchObject({ episodes: 3, differences: [] });
  });

  it('an export is refused if its slug is taken, or its owner has the show already', async () => {
    const from = join(folder, 'export');
    await expect(restoreFor(origin, from)).rejects.toThrow('taken');
    const again = { folder: from, ownerEmail: 'ana@example.com', slug: 'third-signals' };
    await expect(restorePodcast(origin.ctx, again)).rejects.toThrow('same GUID');
  });

  it('a show with audio is not restored from an export without', async () => {
    const silent = join(folder, randomUUID());
    await exportTo(origin, podcastId, silent, false);
    await expect(restoreFor(origin, silent, 'silent')).rejects.toThrow('no audio');
  });

  it('an export has no manifest until everything else is written', async () => {
    const part = join(folder, randomUUID());
    const openSnapshot = (tables: readonly string[]) => origin.database.openSnapshot(tables);
    const { entries } = await exportPodcast(origin.ctx, podcastId, { audio: true, openSnapshot });
    const signal = new AbortController();
    const writing = writeExport(origin.ctx, entries, part, {
      signal: signal.signal,
      onProgress: ({ done }) => done === 10 && signal.abort(),
    });
    await expect(writing).rejects.toThrow('abort');
    expect(await readdir(part)).not.toContain('manifest.json');
    await expect(restoreFor(origin, part, 'part')).rejects.toThrow('no complete export');
  });
});

const readManifest = async (from: string): Promise<ShowManifest> =>
  JSON.parse(await readFile(join(from, 'manifest.json'), 'utf8'));

type Row = Record<string, string | null>;

/** A copy of the export whose rows are changed, with the digest that fits them. */
async function forge(table: string, change: (rows: Row[]) => Row[]): Promise<string> {
  const copy = join(folder, randomUUID());
  await cp(join(folder, 'export'), copy, { recursive: true });
  const manifest = await readManifest(copy);
  const named = manifest.tables.find(({ name }) => name === table);
  if (named === undefined) expect.unreachable();
  const path = join(copy, rowsPath(table));
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  const rows = lines.map((line): Row => {
    const values = JSON.parse(line) as (string | null)[];
    return Object.fromEntries(named.columns.map((column, at) => [column, values[at] ?? null]));
  });
  const forged = change(rows).map((row) =>
    JSON.stringify(named.columns.map((column) => row[column] ?? null)),
  );
  const digest = new RowDigest();
  for (const line of forged) digest.add(line);
  await writeFile(path, forged.map((line) => `${line}\n`).join(''));
  Object.assign(named, { rows: forged.length, digest: digest.toString() });
  await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
  return copy;
}

/** As many rows with slugs of their own. */
const times = (count: number) => (rows: Row[]) =>
  Array.from({ length: count }, (_, at) => ({ ...rows[0], slug: `s-${at}` }));
const setting = (values: Row) => (rows: Row[]) => rows.map((row) => ({ ...row, ...values }));

describe('restorePodcast of a forged export', () => {
  let victim: { id: string; slug: string };
  let foreignId: string;
  beforeAll(async () => {
    const show = await makePodcast(target.ctx, { slug: 'victim' });
    victim = show;
    foreignId = (await makeEpisode(target.ctx, show)).id;
  });

  /** What the tables would take. */
  const values: readonly [table: string, column: string, value: string][] = [
    ['people', 'user_id', '0f3c2a4e-5b6d-4c7e-8f90-a1b2c3d4e5f6'],
    ['podcasts', 'status', 'overage_suspended'],
    ['podcasts', 'updated_at', 'infinity'],
    ['podcasts', 'created_at', '20000-01-01 00:00:00+00'],
    ['podcasts', 'revision', '2147483647'],
    ['podcasts', 'other_categories', 'null'],
    ['podcasts', 'guid', 'x'.repeat(200_000)],
    ['podcasts', 'extra_elements', '[{"name":"podcast:x","attributes":[],"text":["x"]}]'],
    ['podcasts', 'imported', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['podcast_download_days', 'downloads', '9223372036854775807'],
    ['podcast_download_days', 'listeners', '-1'],
    ['episode_download_totals', 'downloads', '9007199254740993'],
    ['images', 'size_bytes', '12'],
    ['images', 'width', '40'],
    ['audio_files', 'leading_tag_bytes', '9007199254740991'],
    ['audio_files', 'size_bytes', '1'],
    ['audio_files', 'extension', 'html'],
    ['chapters', 'chapters', 'null'],
    ['chapters', 'chapters', '[{"startMs":"0"}]'],
    ['transcripts', 'text_bytes', '-5'],
    ['episode_download_breakdowns', 'counts', '{"apps":5}'],
    ['episode_download_totals', 'downloads', '900000000000000'],
  ];

  const refused: readonly [what: string, forged: () => Promise<string>, says: string][] = [
    [
      'rows of another show',
      () => forge('episodes', setting({ podcast_id: victim.id })),
      'not one show',
    ],
    [
      'a slug of an episode of another show',
      () =>
        forge('episode_slugs', (rows) => rows.map((row) => ({ ...row, episode_id: foreignId }))),
      'refuses',
    ],
    [
      'figures of another show',
      () => forge('podcast_download_days', setting({ podcast_id: victim.id })),
      'not one show',
    ],
    [
      'a second show',
      () => forge('podcasts', (rows) => [...rows, { ...rows[0], id: randomUUID() }]),
      'not one show',
    ],
    ['no show', () => forge('podcasts', () => []), 'not one show'],
    [
      'an address with a script',
      () => forge('podcasts', setting({ website_url: 'javascript:alert(1)' })),
      'a value in website_url',
    ],
    ['an id that is none', () => forge('people', setting({ id: '../../x' })), 'than an id'],
    ['a path as a slug', () => forge('episodes', setting({ slug: '../../../etc' })), 'damaged'],
    [
      'a title that is too long',
      () => forge('episodes', setting({ title: 'x'.repeat(600) })),
      'refuses',
    ],
    [
      'a medium with markup',
      () => forge('podcasts', setting({ medium: '<script>' })),
      'does not accept',
    ],
    [
      'elements with markup as a name',
      () =>
        forge(
          'podcasts',
          setting({
            extra_elements: JSON.stringify([
              { name: 'a><script', attributes: [], text: '', children: [] },
            ]),
          }),
        ),
      'does not accept',
    ],
    [
      'an element with an expiry that is not a time',
      () =>
        forge(
          'podcasts',
          setting({
            extra_elements: JSON.stringify([
              { name: 'podcast:txt', attributes: [], text: 'x', children: [], expiresAt: 'soon' },
            ]),
          }),
        ),
      'does not accept',
    ],
    [
      'chapters with a script',
      () =>
        forge(
          'chapters',
          setting({ chapters: JSON.stringify([{ startMs: 0, linkUrl: 'javascript:1' }]) }),
        ),
      'does not accept',
    ],
    [
      'audio of another type',
      () => forge('audio_files', setting({ content_type: 'text/html' })),
      'not text/html',
    ],
    [
      'segments that do not begin with the first',
      () =>
        forge('transcript_segments', (rows) =>
          rows.map((row) => ({ ...row, position: `${Number(row['position']) + 1}` })),
        ),
      'not in their order',
    ],
    [
      'audio with another hash',
      () => forge('audio_files', setting({ sha256: '0'.repeat(64) })),
      'other bytes',
    ],
    ...values.map(([table, column, value]): [string, () => Promise<string>, string] => [
      `${value.slice(0, 30)} as ${table}.${column}`,
      () => forge(table, setting({ [column]: value })),
      'Nothing was restored',
    ]),
    [
      'a row of another show, whose id is in upper case',
      () => forge('chapters', setting({ episode_id: foreignId.toUpperCase() })),
      'than an id',
    ],
    [
      'two episodes with one slug',
      () => forge('episodes', setting({ slug: 'first-light' })),
      'or twice',
    ],
    ['more former slugs than a show can have', () => forge('podcast_slugs', times(201)), 'number'],
    ['more ids than a show can have', () => repeatTotals(1_000_001), 'more than 1000000 ids'],
    ['a row less than it says', async () => cut('episodes'), 'does not have the rows'],
    ['a manifest of a later format', () => edit({ format_version: 9 }), 'newer version'],
    ['a manifest of something else', () => edit({ format: 'zip' }), 'damaged'],
    ['a column that is not ours', async () => addColumn(), 'another version'],
    ['HTML as audio', async () => replaceAudio('<script>alert(1)</script>'), 'not audio'],
  ];

  /** Totals of so many episodes, written as text: as rows they would take seconds. */
  async function repeatTotals(count: number): Promise<string> {
    const table = 'episode_download_totals';
    const copy = await forge(table, ([row]) => [{ ...row, episode_id: 'ID' }]);
    const path = join(copy, rowsPath(table));
    const [before = '', after = ''] = (await readFile(path, 'utf8')).trimEnd().split('ID');
    const idOf = (at: number) => `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`;
    const lines = Array.from({ length: count }, (_, at) => before + idOf(at) + after);
    const digest = new RowDigest();
    for (const line of lines) digest.add(line);
    await writeFile(path, lines.map((line) => `${line}\n`).join(''));
    const manifest = await readManifest(copy);
    const named = manifest.tables.find(({ name }) => name === table);
    Object.assign(named ?? {}, { rows: count, digest: digest.toString() });
    await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
    return copy;
  }

  async function cut(table: string): Promise<string> {
    const copy = await forge(table, (rows) => rows);
    await writeFile(join(copy, rowsPath(table)), '');
    return copy;
  }

  async function edit(values: object): Promise<string> {
    const copy = await forge('podcasts', (rows) => rows);
    const manifest = { ...(await readManifest(copy)), ...values };
    await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
    return copy;
  }

  async function addColumn(): Promise<string> {
    const copy = await forge('podcast_directories', () => []);
    const manifest = await readManifest(copy);
    for (const table of manifest.tables)
      if (table.name === 'podcast_directories') table.columns.push('mood');
    await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
    return copy;
  }

  async function replaceAudio(text: string): Promise<string> {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const copy = await forge('audio_files', setting({ sha256 }));
    await writeFile(join(copy, 'episodes/first-light/audio.mp3'), text);
    return copy;
  }

  it.each(refused)(
    'a forged export is refused and leaves nothing behind: %s',
    async (_what, forged, says) => {
      const copy = await forged();
      const before = await stock(target);
      await expect(restoreFor(target, copy, 'forged')).rejects.toThrow(says);
      expect(await stock(target)).toEqual(before);
    },
  );

  it('files that rows name again and again are kept in memory once', async () => {
    const again = (rows: Row[]) => [...rows, ...rows, ...rows];
    const show = await ShowExport.open(await forge('images', again));
    expect((await surveyRows(target.ctx, show, new Map())).images).toHaveLength(1);
  });

  it('rows are not read beyond those that the manifest names', async () => {
    const copy = await forge('podcast_directories', () => []);
    const long = `${'x'.repeat(16_000_001)}\n`;
    const more = '[null,null,null,null,null]\n'.repeat(10_000);
    await writeFile(join(copy, rowsPath('podcast_directories')), more + long);
    await expect(restoreFor(target, copy, 'more')).rejects.toThrow('does not have the rows');
    await writeFile(join(copy, rowsPath('podcast_directories')), long);
    await expect(restoreFor(target, copy, 'more')).rejects.toThrow('more than 16 MB');
  });

  it('files outside of the folder are not read through links, and those within are', async () => {
    const copy = await forge('podcasts', (rows) => rows);
    const audio = join(copy, 'episodes/first-light/audio.mp3');
    await rename(audio, join(copy, 'moved.mp3'));
    await symlink('../../moved.mp3', audio);
    const { podcastId: id } = await restoreFor(target, copy, 'linked');
    await deletePodcast(target.ctx, id);
    await rm(audio);
    await symlink(join(folder, 'export/episodes/first-light/audio.mp3'), audio);
    await expect(restoreFor(target, copy, 'linked-out')).rejects.toThrow(
      'audio.mp3 is missing, or no file',
    );
  });

  it('what can be counted is counted here, whatever an export says', async () => {
    const audio = await forge('audio_files', setting({ bitrate_bps: '1', duration_ms: '7' }));
    const { podcastId: id, differences } = await restoreFor(target, audio, 'counted');
    expect(differences).toEqual([]);
    const facts = await target.ctx.db
      .selectFrom('audio_files as a')
      .innerJoin('episodes as e', 'e.id', 'a.episode_id')
      .select(['a.bitrate_bps', 'a.duration_ms'])
      .where('e.podcast_id', '=', id)
      .execute();
    for (const { bitrate_bps, duration_ms } of facts)
      expect([Number(bitrate_bps) > 8_000, Number(duration_ms) > 500]).toEqual([true, true]);
    expect(facts.length).toBeGreaterThan(0);
    await deletePodcast(target.ctx, id);
    const texts = await forge('transcripts', setting({ text_bytes: '1', segment_count: '9' }));
    const restored = await restoreFor(target, texts, 'recounted');
    expect(restored.differences).toEqual(['transcripts: some rows differ']);
    const counts = await target.ctx.db
      .selectFrom('transcripts as t')
      .innerJoin('episodes as e', 'e.id', 't.episode_id')
      .select(['t.text_bytes', 't.segment_count'])
      .where('e.podcast_id', '=', restored.podcastId)
      .execute();
    for (const { text_bytes, segment_count } of counts)
      expect([Number(text_bytes) > 100, segment_count < 9]).toEqual([true, true]);
    expect(counts.length).toBeGreaterThan(0);
    await deletePodcast(target.ctx, restored.podcastId);
  });

  it('show notes that nobody could enter are cleaned, and listed', async () => {
    const notes = '<p>Hello</p><script>alert(1)</script>';
    const copy = await forge('episodes', setting({ show_notes_html: notes }));
    const { differences, podcastId: id } = await restoreFor(target, copy, 'cleaned');
    expect(differences).toContain('episodes/first-light: the show notes were cleaned');
    const { body } = await read(target, '/feeds/cleaned.xml');
    expect(body).toContain('<p>Hello</p>');
    expect(body).not.toContain('alert(1)');
    await deletePodcast(target.ctx, id);
  });
});
