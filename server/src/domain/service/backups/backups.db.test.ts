import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { actWithKey } from '../../../../test/act-with-key.ts';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { loadSeed } from '../../../../test/load-seed.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeSite } from '../../../../test/make-site.ts';
import { SiteReader } from '../../../../test/site-reader.ts';
import {
  backedUpSeed,
  backUp,
  backupSecret,
  codeOf,
  openFolder,
  openInstallation,
  openPlace,
  openRepository,
  readAllFiles,
  restore,
} from '../../../../test/use-backups.ts';
import { isOnServer } from '../../../../test/which-database.ts';
import { tryParseKeepRule } from '../../../lib/keep-rule.ts';
import { openDiskBlobStore } from '../../../platform/blob-store/disk-blob-store.ts';
import { receiveInScratch } from '../../../platform/blob-store/receive-file.ts';
import { signIn } from '../../access/sessions/index.ts';
import { listChanges } from '../../exchange/sites/index.ts';
import { setPlan } from '../../foundation/accounts/index.ts';
import { anyone } from '../../foundation/principal.ts';
import { createPreviewLink, revokePreviewLink } from '../../public/previews/index.ts';
import { publishEpisode, unpublishEpisode } from '../../publishing/episodes/index.ts';
import { addMember } from '../../publishing/podcasts/index.ts';
import { selectTableNames } from './backups.sql.ts';
import {
  BackupRepository,
  type CreatedBackup,
  createBackup,
  describeOtherSecret,
  findSnapshot,
  listBackups,
  pruneBackups,
  type RestoredBackup,
  verifyBackup,
} from './index.ts';
import { chooseKept } from './prune-backups.ts';
import { backedUpTables, tablesLeftOut } from './tables.ts';

const read = async (app: TestApp, url: string, headers = {}) => {
  const { statusCode, body, headers: received } = await app.request({ url, headers });
  return { statusCode, body, etag: received['etag'] };
};

// BACKUP-10, BACKUP-11
describe('a backup that is restored', () => {
  let folder: string;
  let original: TestApp;
  let restored: TestApp;
  let repository: BackupRepository;
  let created: CreatedBackup;
  let result: RestoredBackup;
  let key: string;
  let site: Awaited<ReturnType<typeof makeSite>>;
  let cursor: number;
  const shared = new AsyncDisposableStack();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podstead-backups-'));
    shared.defer(() => rm(folder, { recursive: true, force: true }));
    original = shared.use(await createTestApp({ SECRET: backupSecret }));
    const made = await loadSeed(original, folder, backedUpSeed);
    key = made.keys['k']?.secret ?? '';
    const user = { id: made.users['ana']?.id ?? '' };
    site = await makeSite(original.ctx, user);
    cursor = (await listChanges(site.ctx, site.siteId, { after: 0, limit: 20 })).cursor;
    await signIn(
      { ...original.ctx, principal: anyone },
      { email: 'ana@example.com', password: 'correct horse', client: { network: '203.0.113.0' } },
    );
    repository = shared.use(await openPlace(join(folder, 'there')));
    created = await backUp(original, repository);
    restored = shared.use(await createTestApp({ SECRET: backupSecret }));
    restored.clock.set(original.clock.now());
    result = await restore(restored, repository, created.snapshot);
  });
  afterAll(() => shared.disposeAsync());

  it('a restore ends without differences, and counts what it has restored', async () => {
    expect(result.differences).toEqual([]);
    expect(result.files).toBe(created.files);
    expect(result.files).toBeGreaterThan(0);
    expect(result.downloads).toBe(2);
    expect(result.rows['episodes']).toBe(2);
    // Triggers are off while rows are restored, and backups lack rows that count.
    const uncounted = `select id from podcasts except select podcast_id from texts_to_count`;
    expect((await restored.database.pool.query(uncounted)).rows).toEqual([]);
    expect(Object.values(result.rows).reduce((sum, rows) => sum + rows, 0)).toBe(created.rows);
  });

  it('public responses are the same to the byte, with the same ETags', async () => {
    const { id } = JSON.parse((await read(original, '/v1/podcasts/night-signals')).body).data;
    const urls = [
      '/feeds/night-signals.xml',
      '/v1/podcasts/night-signals',
      `/v1/podcasts/${id}/episodes`,
      '/listen/night-signals',
    ];
    for (const url of urls) {
      const before = await read(original, url);
      expect(before.statusCode).toBe(200);
      expect(await read(restored, url)).toEqual(before);
    }
  });

  it('audio and transcripts are the same', async () => {
    const feed = (await read(original, '/feeds/night-signals.xml')).body;
    const paths = [...feed.matchAll(/url="http:\/\/test\.local(\/[^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (const path of paths)
      expect(await read(restored, path)).toEqual(await read(original, path));
  });

  it('keys keep working', async () => {
    const headers = { authorization: `Bearer ${key}` };
    const before = await read(original, '/v1/me/podcasts', headers);
    expect(before.statusCode).toBe(200);
    expect(await read(restored, '/v1/me/podcasts', headers)).toEqual(before);
  });

  // BACKUP-10
  it('keys work with another secret, and preview links open nothing', async () => {
    const other = await createTestApp();
    await using target = other;
    const { rows } = await original.database.pool.query(
      "select id from episodes where slug = 'second'",
    );
    const { url } = await createPreviewLink(original.ctx, rows[0].id);
    const place = new URL(url).pathname;
    expect((await read(original, place)).statusCode).toBe(200);
    const there = await openRepository(await openFolder());
    const { snapshot } = await backUp(original, there);
    const manifest = await there.readManifest(snapshot);
    expect(describeOtherSecret(manifest, restored.ctx.installation)).toBeUndefined();
    expect(describeOtherSecret(manifest, target.ctx.installation)).toContain('preview links end');
    target.clock.set(original.clock.now());
    expect((await restore(target, there, snapshot)).differences).toEqual([]);
    const headers = { authorization: `Bearer ${key}` };
    expect((await read(target, '/v1/me/podcasts', headers)).statusCode).toBe(200);
    for (const path of ['', '/audio.mp3', `/images/${rows[0].id}/512.jpg`])
      expect((await read(target, `${place}${path}`)).statusCode, path).toBe(404);
    await revokePreviewLink(original.ctx, rows[0].id);
  });

  it('a connected site goes on: all is repeated once, in numbers that it has not seen', async () => {
    const asSite = await actWithKey(restored.ctx, site.secret);
    const readAfter = (after: number) => listChanges(asSite, site.siteId, { after, limit: 20 });
    const again = await readAfter(cursor);
    const episodesOf = ({ changes }: typeof again) =>
      changes.map(({ episodeId, contentHash }) => ({ episodeId, contentHash }));
    const told = await listChanges(site.ctx, site.siteId, { after: 0, limit: 20 });
    expect(episodesOf(again)).toEqual(episodesOf(told));
    expect(again.changes.every(({ seq }) => seq > cursor)).toBe(true);
    for (let calls = 0; calls < 5; calls += 1)
      expect((await readAfter(again.cursor)).changes).toEqual([]);
    const show = await restored.database.pool.query('select id from podcasts');
    await makeEpisode(restored.ctx, { id: show.rows[0].id } as never, {
      title: 'After the restore',
      publishedAt: restored.clock.now(),
    });
    await expect
      .poll(async () =>
        (await readAfter(again.cursor)).changes.map(({ seq }) => seq > again.cursor),
      )
      .toEqual([true]);
  });

  // BACKUP-2, BACKUP-3
  it('no secret is in the repository: no session, no secret of a day', async () => {
    const { rows } = await original.database.pool.query(
      "select encode(secret, 'hex') as hex from download_secrets union all select encode(token_hash, 'hex') from sessions",
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const contents = await readAll(join(folder, 'there'));
    for (const { hex } of rows) expect(contents.some((text) => text.includes(hex))).toBe(false);
  });

  it('the next backup adds only what has changed', async () => {
    const again = await backUp(original, repository);
    expect(again.files).toBe(created.files);
    expect(again.bytesAdded).toBeLessThan(created.bytesAdded / 2);
    const listed = await listBackups(repository, () => undefined);
    expect(listed.map(({ snapshot }) => snapshot)).toEqual([again.snapshot, created.snapshot]);
    expect(await verifyBackup(repository, undefined)).toEqual({
      snapshot: again.snapshot,
      files: again.files,
      rows: again.rows,
      damaged: [],
    });
  });

  it('a restored installation is backed up to the same rows', async () => {
    await using other = await openPlace(join(folder, 'other'));
    const again = await createTestApp({ SECRET: backupSecret });
    await using target = again;
    await restore(target, repository, created.snapshot);
    const { snapshot } = await backUp(target, other);
    const digests = async (from: BackupRepository, name: string) =>
      (await from.readManifest(name)).tables.map(({ name, rows, digest }) => [name, rows, digest]);
    expect(await digests(other, snapshot)).toEqual(await digests(repository, created.snapshot));
  });
});

/** All contents of a folder, unpacked where they are packed, as text. */
async function readAll(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      return (isPacked ? gunzipSync(bytes) : bytes).toString('latin1');
    }),
  );
}

// BACKUP-2
it('every table of the database is in a backup, or left out for a reason', async () => {
  const app = await openInstallation();
  const named = [...Object.keys(backedUpTables), ...Object.values(tablesLeftOut).flat()];
  expect(await selectTableNames(app.ctx.db)).toEqual(named.toSorted());
});

describe('what a backup notices', () => {
  // RELEASE-7
  it('a backup is refused if a newer release has tables that it would not contain', async () => {
    const app = await openInstallation();
    const repository = await openRepository(await openFolder());
    await app.database.pool.query('create table of_the_operator (id int)');
    expect(await codeOf(backUp(app, repository))).toBe('done');
    await app.database.pool.query(
      `insert into schema_migrations (name, sha256) values ('9999-new.sql', '')`,
    );
    expect(await codeOf(backUp(app, repository))).toMatch(
      /BackupRefusedError: .* 9999-new\.sql.* the tables of_the_operator\.$/,
    );
    await app.database.pool.query('drop table of_the_operator');
    expect(await codeOf(backUp(app, repository))).toBe('done');
  });

  const makeShow = async (app: TestApp) =>
    await loadSeed(app, await openFolder(), {
      users: backedUpSeed.users,
      podcasts: backedUpSeed.podcasts,
    });

  const loseAudio = async (app: TestApp): Promise<string> => {
    const { rows } = await app.database.pool.query('select blob_key from audio_files');
    await app.ctx.blobs.delete(rows[0].blob_key);
    return rows[0].blob_key;
  };

  it('a file that a row names and the store does not have is reported', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    await makeShow(app);
    const key = await loseAudio(app);
    expect(await backUp(app, repository)).toMatchObject({ missing: [key], files: 0 });
  });

  // BACKUP-16
  it('a lost file that the repository has stays in new backups, and outlives a prune', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    await makeShow(app);
    const first = await backUp(app, repository);
    expect(first).toMatchObject({ missing: [], recalled: [] });
    const key = await loseAudio(app);
    const next = await backUp(app, repository);
    expect(next).toMatchObject({ missing: [], recalled: [key], files: first.files });
    // The last backup doesn't name it, as those of earlier versions.
    const manifest = await repository.readManifest(next.snapshot);
    const files = { count: 0, bytes: 0, parts: [] };
    const created_at = new Date().toISOString();
    await repository.writeManifest({ ...manifest, created_at, files });
    const last = await backUp(app, repository);
    expect(last).toMatchObject({ missing: [], recalled: [key], files: first.files });
    await pruneBackups(repository, { days: 1, weeks: 0, months: 0 });
    const other = await openInstallation();
    expect((await restore(other, repository, last.snapshot)).differences).toEqual([]);
    expect(await other.ctx.blobs.stat(key)).toBeDefined();
  });

  it('content that was lost or cut is written again by the next backup', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    await makeShow(app);
    const { snapshot } = await backUp(app, repository);
    const [[, sha256 = ''] = []] = await readAllFiles(repository, snapshot);
    const path = join(folder, 'files', sha256.slice(0, 2), sha256);
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, 100));
    await backUp(app, repository);
    expect((await verifyBackup(repository, undefined)).damaged).toEqual([]);
    await rm(path);
    await backUp(app, repository);
    expect(await readFile(path)).toEqual(whole);
  });

  it('a damaged newest backup does not stop the next one', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    const { snapshot } = await backUp(app, repository);
    await writeFile(join(folder, 'snapshots', `${snapshot}.json`), 'cut');
    const next = await backUp(app, repository);
    expect((await verifyBackup(repository, next.snapshot)).damaged).toEqual([]);
  });

  it('a store that fails once leaves no mark of work that has ended', async () => {
    const store = receiveInScratch(await openDiskBlobStore(await openFolder()));
    await using repository = new BackupRepository(store);
    const { list } = store;
    store.list = () => {
      throw new Error('away');
    };
    await expect(repository.begin('create', { alone: true })).rejects.toThrow('away');
    store.list = list;
    await using _work = await repository.begin('create', { alone: true });
  });

  it.runIf(isOnServer)('a statement that rewrites a table waits for the rows', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    await makeShow(app);
    let isRewritten = false;
    let rewriting: Promise<unknown> | undefined;
    const { snapshot } = await createBackup(app.ctx, repository, async (tables) => {
      const reading = await app.database.openSnapshot(tables);
      rewriting = app.database.pool
        .query("alter table waveforms alter column peaks type bytea using peaks || ''::bytea")
        .then(() => {
          isRewritten = true;
        });
      await expect
        .poll(async () => {
          const { rows } = await app.database.pool.query(
            'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
          );
          return rows.length;
        })
        .toBe(1);
      expect(isRewritten).toBe(false);
      return reading;
    });
    await rewriting;
    const { tables } = await repository.readManifest(snapshot);
    expect(tables.find(({ name }) => name === 'waveforms')?.rows).toBe(1);
  });
});

describe.runIf(isOnServer)('a backup beside writers', () => {
  it('a backup has one moment, and lets everyone write', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    const podcast = await makePodcast(app.ctx);
    const { rows: before } = await app.database.pool.query('select from episodes');
    let made = 0;
    const created = await createBackup(app.ctx, repository, async (tables) => {
      const snapshot = await app.database.openSnapshot(tables);
      for (; made < 20; made += 1) await makeEpisode(app.ctx, podcast);
      return snapshot;
    });
    const { tables } = await repository.readManifest(created.snapshot);
    const rowsOf = (table: string) => tables.find(({ name }) => name === table)?.rows;
    expect(rowsOf('episodes')).toBe(before.length);
    expect(rowsOf('episode_slugs')).toBe(0);
  });
});

describe('what is kept', () => {
  const day = (text: string, database?: string, restoredFrom?: string) => ({
    name: `${text}-031500000-${randomUUID().replaceAll('-', '')}`,
    ...{ baseUrl: 'https://pods.example', database, restoredFrom },
  });
  type Dated = ReturnType<typeof day>;
  const namesOf = (backups: readonly Dated[]) => backups.map(({ name }) => name.slice(0, 8));

  it('the newest of each day, week and month that has one is kept, and the newest of all', () => {
    const all = [
      '20261127',
      '20261126',
      '20261125',
      '20261115',
      '20261031',
      '20251231',
      '20250101',
    ].map((text) => day(text));
    const kept = (text: string) => {
      const rule = tryParseKeepRule(text);
      return rule && namesOf(all.filter(({ name }) => chooseKept(all, rule).has(name)));
    };
    expect(kept('2d')).toEqual(['20261127', '20261126']);
    expect(kept('2w')).toEqual(['20261127', '20261115']);
    expect(kept('3m')).toEqual(['20261127', '20261031', '20251231']);
    expect(kept('1d,1w,9m')).toEqual(['20261127', '20261031', '20251231', '20250101']);
  });

  it('weeks are those of ISO 8601, over the end of a year', () => {
    const all = ['20270103', '20270101', '20261228', '20261227'].map((text) => day(text));
    const rule = { days: 0, weeks: 2, months: 0 };
    const kept = [...chooseKept(all, rule)].map((name) => name.slice(0, 8));
    expect(kept).toEqual(['20270103', '20261227']);
  });

  // BACKUP-22
  it('no installation removes what is kept of another one with the same BASE_URL', () => {
    const stale = [day('20261127', 'stale'), day('20261126', 'stale'), day('20261120', 'stale')];
    const real = [day('20261127', 'real'), day('20261126', 'real'), day('20261125', 'real')];
    const [old, older] = [day('20261127'), day('20261101')];
    const all = [...stale.slice(0, 1), ...real.slice(0, 1), old, ...stale.slice(1, 2)];
    all.push(...real.slice(1), ...stale.slice(2), older);
    const kept = chooseKept(all, { days: 2, weeks: 0, months: 0 });
    const expected = [...stale.slice(0, 2), ...real.slice(0, 2)];
    expect([...kept].toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
    // An ended one keeps its newest, unless that was restored.
    const after = (restored: number) => {
      const next = day('20261130', 'next', stale[restored]?.name);
      const left = chooseKept([next, ...stale], { days: 1, weeks: 0, months: 0 });
      return stale.filter(({ name }) => left.has(name));
    };
    expect(after(1)).toEqual(stale.slice(0, 1));
    expect(after(0)).toEqual([]);
  });

  it.each(['', '7', '7x', '7d,7d', '0d', '-1d', '7d;4w'])('%j is no rule', (text) => {
    expect(tryParseKeepRule(text)).toBeUndefined();
  });

  it('a prune removes what no backup needs, and nothing else', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    await loadSeed(app, folder, { users: backedUpSeed.users, podcasts: backedUpSeed.podcasts });
    await backUp(app, repository);
    await makePodcast(app.ctx);
    const newest = await backUp(app, repository);
    const pruned = await pruneBackups(repository, { days: 1, weeks: 0, months: 0 });
    expect(pruned).toMatchObject({ kept: 1, removed: 1 });
    expect(pruned.bytesFreed).toBeGreaterThan(0);
    expect(await verifyBackup(repository, undefined)).toMatchObject({
      snapshot: newest.snapshot,
      damaged: [],
    });
  });

  it('the newest backup of each installation, and the one just made, are kept', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    const { snapshot } = await backUp(app, repository);
    const manifest = await repository.readManifest(snapshot);
    const later = { ...manifest, created_at: '2099-01-01T00:00:00.000Z' };
    await repository.writeManifest({ ...later, base_url: 'https://other.example' });
    const { name } = await repository.writeManifest(later);
    const rule = { days: 1, weeks: 0, months: 0 };
    expect(await pruneBackups(repository, rule, { made: name })).toMatchObject({ kept: 3 });
    expect(await pruneBackups(repository, rule)).toMatchObject({ kept: 2, removed: 1 });
  });

  // BACKUP-5
  it('a backup that was made while a clock was ahead is the last one', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    const { snapshot } = await backUp(app, repository);
    const manifest = await repository.readManifest(snapshot);
    const made = async (aheadMs: number) => {
      const created_at = new Date(Date.now() + aheadMs).toISOString();
      return (await repository.writeManifest({ ...manifest, created_at })).name;
    };
    const [far, near] = [await made(2 * 3_600_000), await made(1_800_000)];
    expect(await repository.list()).toEqual([near, snapshot, far]);
    expect(await findSnapshot(repository)).toBe(near);
    await pruneBackups(repository, { days: 1, weeks: 0, months: 0 });
    expect(await repository.list()).toEqual([near]);
  });

  // BACKUP-18
  it('a prune that was stopped for minutes removes nothing more', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    await backUp(app, repository);
    await makePodcast(app.ctx);
    await backUp(app, repository);
    await makePodcast(app.ctx);
    await backUp(app, repository);
    const remove = repository.removeManifest.bind(repository);
    const now = Date.now;
    const clock = vi.spyOn(Date, 'now');
    onTestFinished(() => clock.mockRestore());
    repository.removeManifest = async (name) => {
      await remove(name);
      clock.mockImplementation(() => now() + 4 * 60_000);
    };
    const rule = { days: 1, weeks: 0, months: 0 };
    await expect(pruneBackups(repository, rule)).rejects.toThrow('was stopped for so long');
    expect(await repository.list()).toHaveLength(2);
    for (const name of await repository.list())
      expect((await verifyBackup(repository, name)).damaged).toEqual([]);
  });

  // BACKUP-18
  it.each(['verify', 'restore'])('nothing is pruned during a %s', async (work) => {
    const folder = await openFolder();
    const [repository, other] = [await openRepository(folder), await openRepository(folder)];
    const app = await openInstallation();
    const { snapshot } = await backUp(app, repository);
    const rule = { days: 1, weeks: 0, months: 0 };
    const refused: string[] = [];
    const readOn = repository.read.bind(repository);
    repository.read = async (sha256) => {
      if (refused.length === 0) refused.push(await codeOf(pruneBackups(other, rule)));
      return await readOn(sha256);
    };
    if (work === 'verify') await verifyBackup(repository, snapshot);
    else await restore(await openInstallation(), repository, snapshot);
    expect(refused).toEqual([expect.stringContaining('Another process is making, reading')]);
    await using _work = await repository.beginToRead();
    expect(await codeOf(backUp(app, other, { alone: true }))).toBe('done');
  });

  it('a prune and a backup never run beside each other', async () => {
    const folder = await openFolder();
    const [repository, other] = [await openRepository(folder), await openRepository(folder)];
    const app = await openInstallation();
    const rule = { days: 1, weeks: 0, months: 0 };
    const refused: string[] = [];
    await backUp(app, repository);
    await createBackup(app.ctx, repository, async (tables) => {
      refused.push(await codeOf(pruneBackups(other, rule)));
      return await app.database.openSnapshot(tables);
    });
    expect(refused).toEqual([
      expect.stringContaining('Another process is making, reading or pruning'),
    ]);
    await using _pruning = await other.begin('prune');
    await expect(backUp(app, repository)).rejects.toThrow('are being pruned');
  });
});

describe('a connected site after a restore', () => {
  const setState = (app: TestApp, { email }: { email: string }, planState: 'active' | 'lapsed') =>
    setPlan(app.ctx, { email, plan: 'creator', planState });

  // SITE-32, BACKUP-10
  it('a connected site gets what it has passed without getting it since the backup', async () => {
    const [app, other] = [await openInstallation(), await openInstallation()];
    const repository = await openRepository(await openFolder());
    const [ana, bo] = [await makeUser(app.ctx), await makeUser(app.ctx)];
    const show = await makePodcast(app.ctx, { owner: ana });
    const theirs = await makePodcast(app.ctx, { owner: bo });
    await addMember(app.ctx, { podcastId: theirs.id, userId: ana.id, role: 'admin' });
    const site = await makeSite(app.ctx, ana, [show, theirs]);
    const [reader, numbering] = [new SiteReader(site), new SiteReader(site)];
    const ended = await makeEpisode(app.ctx, show, { title: 'Ended' });
    await reader.catchUp();
    const [stored] = reader.seen;
    await unpublishEpisode(app.ctx, ended.id);
    await numbering.catchUp();
    const showNotesHtml = `<p>${'Long. '.repeat(200)}</p>`;
    const missed = await makeEpisode(app.ctx, theirs, { title: 'Missed', showNotesHtml });
    await numbering.catchUp();
    await makeEpisode(app.ctx, show, { title: 'Readable' });
    await numbering.catchUp();
    const { snapshot } = await backUp(app, repository);
    // One change is now withheld from a page, and another replaced by one with a higher number.
    await setState(app, bo, 'lapsed');
    await publishEpisode(app.ctx, ended.id);
    await numbering.catchUp();
    await reader.read(1);
    expect(reader.position).toBe(4);
    expect([reader.held.has(ended.id), reader.held.has(missed.id)]).toEqual([true, false]);
    other.clock.set(app.clock.now());
    await restore(other, repository, snapshot);
    const asSite = await actWithKey(other.ctx, site.secret);
    const { changes } = await listChanges(asSite, site.siteId, { after: 4, limit: 20 });
    const found = (id: string) => changes.find(({ episodeId }) => episodeId === id);
    expect(found(missed.id)).toMatchObject({ episode: { title: 'Missed', showNotesHtml } });
    expect(found(ended.id)).toMatchObject({ reason: 'unpublished' });
    // No change named this content at the time of the backup.
    const kept = await other.database.pool.query('select hash from site_contents');
    expect(kept.rows.map(({ hash }) => hash)).not.toContain(stored?.contentHash);
  });
});
