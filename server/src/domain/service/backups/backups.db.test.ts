import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { actWithKey } from '../../../../test/act-with-key.ts';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { loadSeed } from '../../../../test/load-seed.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeSite } from '../../../../test/make-site.ts';
import { isOnServer } from '../../../../test/which-database.ts';
import { tryParseKeepRule } from '../../../lib/keep-rule.ts';
import { openDiskBlobStore } from '../../../platform/blob-store/disk-blob-store.ts';
import { signIn } from '../../access/sessions/index.ts';
import { listChanges } from '../../exchange/sites/index.ts';
import { anyone } from '../../foundation/principal.ts';
import { selectTableNames } from './backups.sql.ts';
import {
  BackupRefusedError,
  BackupRepository,
  type CreatedBackup,
  createBackup,
  DamagedBackupError,
  listBackups,
  pruneBackups,
  type RestoredBackup,
  restoreBackup,
  verifyBackup,
} from './index.ts';
import { chooseKept } from './prune-backups.ts';
import { backedUpTables, tablesLeftOut } from './tables.ts';
import { refuseUnfinishedRestore } from './unfinished-restore.ts';

const secret = randomBytes(32).toString('hex');
let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-backups-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openRepository(folder: string): Promise<BackupRepository> {
  return opened.use(new BackupRepository(await openDiskBlobStore(folder)));
}

const backUp = (app: TestApp, repository: BackupRepository, options = {}) =>
  createBackup(app.ctx, repository, () => app.database.openSnapshot(), options);

const restore = (app: TestApp, repository: BackupRepository, snapshot: string, options = {}) =>
  restoreBackup(app.ctx, repository, snapshot, {
    openSession: () => app.database.openLongSession(),
    ...options,
  });

const openInstallation = async () => opened.use(await createTestApp({ SECRET: secret }));

async function codeOf(response: Promise<unknown>): Promise<string> {
  return await response.then(
    () => 'done',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

const seed = {
  users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse', name: 'Ana' }],
  podcasts: [
    {
      ref: 'night',
      owner: 'ana',
      slug: 'night-signals',
      title: 'Night “Signals”\\ \t',
      description: 'Lines\nand \\N, tabs\tand ümlauts 🎙',
      people: [{ ref: 'bo', name: 'Bo Example', role: 'host' }],
      episodes: [
        {
          ref: 'first',
          slug: 'first-light',
          title: 'First light',
          status: 'published',
          published_at: '2026-03-01T08:00:00Z',
          audio: { tone_seconds: 70 },
          publish_transcript: true,
          transcript: { text: 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello, "night".\n' },
          chapters: {
            text: JSON.stringify({ version: '1.2.0', chapters: [{ startTime: 0, title: 'One' }] }),
          },
        },
        { ref: 'second', slug: 'second', title: 'A draft' },
      ],
    },
  ],
  keys: [{ ref: 'k', user: 'ana', scopes: ['podcasts:read', 'episodes:read'] }],
  downloads: [
    {
      episode: 'night/first',
      at: '2026-03-02T08:00:00Z',
      ip: '203.0.113.7',
      user_agent: 'Overcast/3',
    },
    {
      episode: 'night/first',
      at: '2026-03-09T08:00:00Z',
      ip: '203.0.113.8',
      user_agent: 'Overcast/3',
    },
  ],
};

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
    original = shared.use(await createTestApp({ SECRET: secret }));
    const made = await loadSeed(original, folder, seed);
    key = made.keys['k']?.secret ?? '';
    const user = { id: made.users['ana']?.id ?? '' };
    site = await makeSite(original.ctx, user);
    cursor = (await listChanges(site.ctx, site.siteId, { after: 0, limit: 20 })).cursor;
    await signIn(
      { ...original.ctx, principal: anyone },
      { email: 'ana@example.com', password: 'correct horse', client: { network: '203.0.113.0' } },
    );
    repository = shared.use(new BackupRepository(await openDiskBlobStore(join(folder, 'there'))));
    created = await backUp(original, repository);
    restored = shared.use(await createTestApp({ SECRET: secret }));
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

  it('a connected site goes on: it is told nothing again, in numbers that it has not seen', async () => {
    const asSite = await actWithKey(restored.ctx, site.secret);
    for (let calls = 0; calls < 5; calls += 1) {
      const changes = await listChanges(asSite, site.siteId, { after: cursor, limit: 20 });
      expect(changes.changes).toEqual([]);
    }
    const show = await restored.database.pool.query('select id from podcasts');
    await makeEpisode(restored.ctx, { id: show.rows[0].id } as never, {
      title: 'After the restore',
      publishedAt: restored.clock.now(),
    });
    await expect
      .poll(async () => {
        const { changes } = await listChanges(asSite, site.siteId, { after: cursor, limit: 20 });
        return changes.map(({ seq }) => seq > cursor);
      })
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
    const other = new BackupRepository(await openDiskBlobStore(join(folder, 'other')));
    await using _other = other;
    const again = await createTestApp({ SECRET: secret });
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

describe('what a restore refuses', () => {
  it('an installation that is not empty stays as it is', async () => {
    const [app, other] = [await openInstallation(), await openInstallation()];
    const repository = await openRepository(await openFolder());
    await makePodcast(app.ctx);
    await makeUser(other.ctx);
    const { snapshot } = await backUp(app, repository);
    await expect(restore(other, repository, snapshot)).rejects.toThrow('not empty');
    expect((await other.database.pool.query('select from podcasts')).rowCount).toBe(0);
    await refuseUnfinishedRestore(other.ctx);
  });

  it('a second restore into the same installation is refused', async () => {
    const [app, other] = [await openInstallation(), await openInstallation()];
    const repository = await openRepository(await openFolder());
    const { snapshot } = await backUp(app, repository);
    await restore(other, repository, snapshot);
    await expect(restore(other, repository, snapshot)).rejects.toThrow('was restored here already');
  });

  // BACKUP-1
  it('a backup of a newer format is refused with one sentence', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    const { snapshot } = await backUp(app, repository);
    const path = join(folder, 'snapshots', `${snapshot}.json`);
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...manifest, format_version: 2 }));
    await expect(verifyBackup(repository, snapshot)).rejects.toThrow(BackupRefusedError);
    await expect(restore(app, repository, snapshot)).rejects.toThrow('newer version of Podstead');
  });

  it('a manifest that was changed is damaged', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    const { snapshot } = await backUp(app, repository);
    const path = join(folder, 'snapshots', `${snapshot}.json`);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"rows":0', '"rows":1'));
    expect((await verifyBackup(repository, snapshot)).damaged).toEqual([
      `snapshots/${snapshot}.json`,
    ]);
    await expect(restore(app, repository, snapshot)).rejects.toThrow(DamagedBackupError);
    await writeFile(path, text.slice(0, 100));
    expect((await verifyBackup(repository, snapshot)).damaged).toHaveLength(1);
  });

  it('rows that are damaged, cut or missing are named, and restored nowhere', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    await makePodcast(app.ctx);
    const { snapshot } = await backUp(app, repository);
    const { tables } = await repository.readManifest(snapshot);
    const sha256 = tables.find(({ name }) => name === 'podcasts')?.parts[0]?.sha256 ?? '';
    const path = join(folder, 'files', sha256.slice(0, 2), sha256);
    const whole = await readFile(path);
    const flipped = Buffer.from(whole);
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    for (const bytes of [flipped, whole.subarray(0, -1), Buffer.concat([whole, whole])]) {
      await writeFile(path, bytes);
      expect((await verifyBackup(repository, snapshot)).damaged).toEqual([sha256]);
    }
    const other = await openInstallation();
    expect(await codeOf(restore(other, repository, snapshot))).toContain('DamagedBackupError');
    expect((await other.database.pool.query('select from accounts')).rowCount).toBe(0);
    await expect(refuseUnfinishedRestore(other.ctx)).rejects.toThrow('has not ended');
    await rm(path);
    expect((await verifyBackup(repository, snapshot)).damaged).toEqual([sha256]);
    // With the right bytes, it goes on.
    await writeFile(path, whole);
    expect((await restore(other, repository, snapshot)).differences).toEqual([]);
    await refuseUnfinishedRestore(other.ctx);
  });

  it('a damaged file is named by both, and restored by neither', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    await loadSeed(app, folder, { users: seed.users, podcasts: seed.podcasts });
    const { snapshot } = await backUp(app, repository);
    const [audio] = (await readAllFiles(repository, snapshot)).filter(([key = '']) =>
      key.startsWith('audio/'),
    );
    const [key = '', sha256 = ''] = audio ?? [];
    const path = join(folder, 'files', sha256.slice(0, 2), sha256);
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, 1000));
    expect((await verifyBackup(repository, snapshot)).damaged).toEqual([sha256]);
    const other = await openInstallation();
    const { differences } = await restore(other, repository, snapshot);
    expect(differences).toEqual([`${key}: damaged in the backup`]);
    expect(await other.ctx.blobs.stat(key)).toBeUndefined();
    // It can be repaired by another run.
    await writeFile(path, whole);
    expect((await restore(other, repository, snapshot)).differences).toEqual([]);
  });

  it('names that lead out of the installation are damage', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    const made = await backUp(app, repository);
    const manifest = await repository.readManifest(made.snapshot);
    for (const key of ['../../etc/passwd', 'audio/../../x', '/etc/passwd', 'other/file.mp3']) {
      const forged = await forge(repository, manifest, [key, 'a'.repeat(64), '3']);
      expect((await verifyBackup(repository, forged)).damaged).toHaveLength(1);
      const other = await openInstallation();
      expect(await codeOf(restore(other, repository, forged))).toContain('DamagedBackupError');
    }
  });
});

async function readAllFiles(repository: BackupRepository, snapshot: string): Promise<string[][]> {
  const { files } = await repository.readManifest(snapshot);
  const texts = await Promise.all(
    files.parts.map(async ({ sha256 }) =>
      gunzipSync(Buffer.concat(await (await repository.read(sha256)).toArray())).toString(),
    ),
  );
  return texts
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A backup that is whole by its hashes, with this line in its list of files. */
async function forge(
  repository: BackupRepository,
  manifest: Awaited<ReturnType<BackupRepository['readManifest']>>,
  line: readonly string[],
): Promise<string> {
  const { PartWriter } = await import('./rows.ts');
  const writer = new PartWriter((sha256, zipped) => repository.put(sha256, zipped));
  await writer.write(JSON.stringify(line));
  const { parts } = await writer.finish();
  const files = { count: 1, bytes: 3, parts: [...parts] };
  return (await repository.writeManifest({ ...manifest, files })).name;
}

describe('interruptions', () => {
  it('a backup that is interrupted does not exist, and the next one is whole', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    await makePodcast(app.ctx);
    for (const stopAt of [1, 2, 4]) {
      const stopping = new AbortController();
      let calls = 0;
      const onProgress = () => {
        calls += 1;
        if (calls === stopAt) stopping.abort(new Error('stopped'));
      };
      await expect(
        backUp(app, repository, { signal: stopping.signal, onProgress }),
      ).rejects.toThrow('stopped');
    }
    expect(await repository.list()).toEqual([]);
    const { snapshot } = await backUp(app, repository);
    expect((await verifyBackup(repository, snapshot)).damaged).toEqual([]);
  });

  it('a restore goes on after an interruption at any point', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    await loadSeed(app, await openFolder(), { users: seed.users, podcasts: seed.podcasts });
    const { snapshot } = await backUp(app, repository);
    const other = await openInstallation();
    let [stopped, progressed] = [0, 0];
    for (let stopAt = 1; ; stopAt += 7) {
      const stopping = new AbortController();
      let calls = 0;
      const onProgress = () => {
        calls += 1;
        progressed = Math.max(progressed, calls);
        if (calls === stopAt) stopping.abort(new Error('stopped'));
      };
      const done = restore(other, repository, snapshot, { signal: stopping.signal, onProgress });
      const code = await done.then(
        ({ differences }) => differences.join(),
        (error: Error) => error.message,
      );
      if (code !== 'stopped') {
        expect(code).toBe('');
        break;
      }
      stopped += 1;
      await expect(refuseUnfinishedRestore(other.ctx)).rejects.toThrow('has not ended');
    }
    expect(stopped).toBeGreaterThan(3);
    expect((await other.database.pool.query('select from episodes')).rowCount).toBe(2);
  });
});

describe.runIf(isOnServer)('a backup beside writers', () => {
  it('a backup has one moment, and lets everyone write', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    const podcast = await makePodcast(app.ctx);
    const { rows: before } = await app.database.pool.query('select from episodes');
    let made = 0;
    const created = await createBackup(app.ctx, repository, async () => {
      const snapshot = await app.database.openSnapshot();
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
  const day = (text: string) => `${text}-031500000-${randomUUID().replaceAll('-', '')}`;

  it('the newest of each day, week and month that has one is kept, and the newest of all', () => {
    const names = [
      '20261127',
      '20261126',
      '20261125',
      '20261115',
      '20261031',
      '20251231',
      '20250101',
    ]
      .map(day)
      .toSorted()
      .toReversed();
    const kept = (text: string) => {
      const rule = tryParseKeepRule(text);
      return (
        rule &&
        names.filter((name) => chooseKept(names, rule).has(name)).map((name) => name.slice(0, 8))
      );
    };
    expect(kept('2d')).toEqual(['20261127', '20261126']);
    expect(kept('2w')).toEqual(['20261127', '20261115']);
    expect(kept('3m')).toEqual(['20261127', '20261031', '20251231']);
    expect(kept('1d,1w,9m')).toEqual(['20261127', '20261031', '20251231', '20250101']);
  });

  it('weeks are those of ISO 8601, over the end of a year', () => {
    const names = ['20270103', '20270101', '20261228', '20261227'].map(day);
    const rule = { days: 0, weeks: 2, months: 0 };
    const kept = [...chooseKept(names, rule)].map((name) => name.slice(0, 8));
    expect(kept).toEqual(['20270103', '20261227']);
  });

  it.each(['', '7', '7x', '7d,7d', '0d', '-1d', '7d;4w'])('%j is no rule', (text) => {
    expect(tryParseKeepRule(text)).toBeUndefined();
  });

  it('a prune removes what no backup needs, and nothing else', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    await loadSeed(app, folder, { users: seed.users, podcasts: seed.podcasts });
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

  it('a prune and a backup never run beside each other', async () => {
    const folder = await openFolder();
    const [repository, other] = [await openRepository(folder), await openRepository(folder)];
    const app = await openInstallation();
    const rule = { days: 1, weeks: 0, months: 0 };
    const refused: string[] = [];
    await createBackup(app.ctx, repository, async () => {
      refused.push(await codeOf(pruneBackups(other, rule)));
      return await app.database.openSnapshot();
    });
    expect(refused).toEqual([expect.stringContaining('Another process is making or pruning')]);
    await using _pruning = await other.begin('prune');
    await expect(backUp(app, repository)).rejects.toThrow('are being pruned');
  });
});
