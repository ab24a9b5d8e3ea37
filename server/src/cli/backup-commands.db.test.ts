import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { patience } from '../../test/patience.ts';
import { runCommandLines } from '../../test/run-command.ts';
import { hasS3, s3Settings } from '../../test/s3-store.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { isOnServer } from '../../test/which-database.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createLog } from '../platform/log/log.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-backup-commands-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const secret = 'a secret of at least thirty-two bytes';

async function run(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const [ended] = await runCommandLines([argv], { cwd: folder, env: { SECRET: secret, ...env } });
  if (ended === undefined) expect.unreachable();
  const { code, stdout, stderr } = ended;
  return { code, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) };
}

const seed = {
  users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse' }],
  podcasts: [
    {
      ref: 'night',
      owner: 'ana',
      slug: 'night-signals',
      title: 'Night Signals',
      episodes: [
        {
          ref: 'first',
          slug: 'first',
          title: 'First light',
          status: 'published',
          audio: { tone_seconds: 70 },
        },
      ],
    },
  ],
  downloads: [{ episode: 'first', at: '-1h', ip: '203.0.113.7', user_agent: 'Overcast/3' }],
};

// BACKUP-4, BACKUP-5, BACKUP-6, BACKUP-7, BACKUP-8. Both databases are needed.
describe.runIf(isOnServer)('backups on the command line', () => {
  it('an installation moves from the embedded database to PostgreSQL and back', async () => {
    await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
    const embedded = { DATA_DIR: join(folder, 'embedded') };
    expect(await run(['--new', 'seed', 'seed.json'], embedded)).toMatchObject({ code: 0 });
    const first = await run(['backup', 'create', 'backups'], embedded);
    expect(first).toEqual({
      code: 0,
      stderr: '',
      json: {
        snapshot: expect.stringMatching(/^\d{8}-\d{9}-[0-9a-f]{32}$/),
        created_at: expect.any(String),
        rows: expect.any(Number),
        files: 1,
        bytes_added: expect.any(Number),
        bytes_total: expect.any(Number),
      },
    });
    const { snapshot, rows } = first.json;
    expect((await run(['backup', 'list', 'backups'], {})).json).toEqual([
      {
        snapshot,
        created_at: first.json.created_at,
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        rows,
        files: 1,
        bytes: expect.any(Number),
      },
    ]);

    await using database = await createTestDatabase();
    const server = { DATA_DIR: join(folder, 'server'), DATABASE_URL: database.url ?? '' };
    const restored = await run(['backup', 'restore', 'backups'], server);
    expect(restored).toMatchObject({
      code: 0,
      stderr: '',
      json: { snapshot, files: 1, downloads: 1, differences: [], rows: { episodes: 1, users: 1 } },
    });
    expect((await run(['episode', 'list', 'night-signals'], server)).json).toEqual(
      (await run(['episode', 'list', 'night-signals'], embedded)).json,
    );

    const again = await run(['backup', 'create', 'backups'], server);
    expect(again.json).toMatchObject({ rows, files: 1 });
    const back = { DATA_DIR: join(folder, 'back') };
    const returned = await run(['backup', 'restore', 'backups', again.json.snapshot], back);
    expect(returned.json).toMatchObject({ downloads: 1, differences: [] });
    expect(returned.json.rows).toEqual(restored.json.rows);
    expect((await run(['podcast', 'show', 'night-signals'], back)).json).toEqual(
      (await run(['podcast', 'show', 'night-signals'], embedded)).json,
    );

    const refused = await run(['backup', 'restore', 'backups'], server);
    expect(refused).toMatchObject({ code: 1, json: undefined });
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    const pruned = await run(['backup', 'prune', 'backups', '--keep', '1d'], {});
    expect(pruned.json).toEqual({ kept: 1, removed: 1, bytes_freed: expect.any(Number) });
    expect((await run(['backup', 'verify', 'backups'], {})).json).toMatchObject({ damaged: [] });
    // The copy of the database is gone.
    const files = await readdir(join(folder, 'embedded/database'), { recursive: true });
    expect(files.filter((path) => path.startsWith('snapshots/'))).toEqual([]);
  });
});

// BACKUP-7
describe.runIf(isOnServer)('a restore beside a running server', () => {
  it('a restore beside a running server is refused, and goes on when the server has stopped', async () => {
    await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
    const embedded = { DATA_DIR: join(folder, 'stopped') };
    await run(['--new', 'seed', 'seed.json'], embedded);
    await run(['backup', 'create', 'of-stopped'], embedded);
    await using database = await createTestDatabase();
    const url = database.url ?? '';
    const beside = { DATA_DIR: join(folder, 'beside'), DATABASE_URL: url };
    const log = createLog('silent');
    {
      await using serving = await openDatabase({ kind: 'server', url, poolSize: 2, log });
      serving.announcements.subscribe({ onChange: () => undefined, onGap: () => undefined });
      await vi.waitFor(async () => expect(await serving.isServed()).toBe(true), patience);
      expect(await run(['backup', 'restore', 'of-stopped'], beside)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Stop all of them'),
      });
      expect((await serving.pool.query('select from restores')).rowCount).toBe(0);
    }
    expect(await run(['backup', 'restore', 'of-stopped'], beside)).toMatchObject({ code: 0 });
  });
});

describe.runIf(isOnServer && hasS3)('backups in a bucket', () => {
  it('an installation in a bucket is backed up to a bucket, and restored on the disk', async () => {
    await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
    await using database = await createTestDatabase();
    const DATABASE_URL = database.url ?? '';
    const original = { ...s3Settings, DATA_DIR: join(folder, 'in-bucket'), DATABASE_URL };
    expect(await run(['--new', 'seed', 'seed.json'], original)).toMatchObject({ code: 0 });
    const target = `s3://${s3Settings?.S3_BUCKET}/backups-${randomUUID()}`;
    const created = await run(['backup', 'create', target], original);
    expect(created).toMatchObject({ code: 0, json: { files: 1 } });
    const { S3_BUCKET: _, ...access } = s3Settings ?? expect.unreachable();
    const { snapshot } = created.json;
    expect((await run(['backup', 'verify', target], access)).json).toMatchObject({ damaged: [] });
    await using other = await createTestDatabase();
    const restored = {
      ...access,
      DATA_DIR: join(folder, 'on-disk'),
      DATABASE_URL: other.url ?? '',
    };
    expect(await run(['backup', 'restore', target], restored)).toMatchObject({
      code: 0,
      json: { snapshot, files: 1, differences: [] },
    });
    expect(await run(['backup', 'create', target], original)).toMatchObject({ code: 0 });
    const pruned = await run(['backup', 'prune', target, '--keep', '1d'], access);
    expect(pruned.json).toMatchObject({ kept: 1, removed: 1 });
  });
});

// BACKUP-10
describe('a restore with another SECRET', () => {
  it('says what ends, if the backup has anything that depends on it', async () => {
    await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
    const env = { DATA_DIR: join(folder, 'logged') };
    await run(['--new', 'seed', 'seed.json'], env);
    await run(['backup', 'create', 'unlogged'], env);
    const line = '203.0.113.7 - - [27/Nov/2026:10:00:00 +0000] "GET /x HTTP/1.1" 404 5 "-" "x"\n';
    await writeFile(join(folder, 'access.log'), line);
    expect(await run(['downloads', 'ingest', 'access.log'], env)).toMatchObject({ code: 0 });
    await run(['backup', 'create', 'logged-backups'], env);
    const restoreInto = (name: string, from: string, SECRET: string) =>
      run(['backup', 'restore', from], { DATA_DIR: join(folder, name), SECRET });
    const other = 'another secret of at least thirty-two bytes';
    const said = await restoreInto('other', 'logged-backups', other);
    expect(said).toMatchObject({
      code: 0,
      stderr:
        'SECRET is not that of the backup: access logs that were read before are counted once more.\n',
    });
    expect(await restoreInto('same', 'logged-backups', secret)).toMatchObject({ stderr: '' });
    expect(await restoreInto('none', 'unlogged', other)).toMatchObject({ stderr: '' });
  });
});

describe('what the commands of backups refuse', () => {
  it('a wrong rule, a missing folder and an unknown backup are refused in one line', async () => {
    const env = { DATA_DIR: join(folder, 'nothing') };
    expect(await run(['backup', 'prune', folder, '--keep', '7x'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('such as 7d,4w,12m'),
    });
    for (const argv of [
      ['list', 'nowhere'],
      ['verify', 'nowhere'],
      ['restore', 'nowhere'],
      ['verify', folder],
      ['restore', folder, '20261127-031500000-00000000000000000000000000000000'],
      ['restore', folder, '../../etc/passwd'],
      ['list', 's3://bucket/backups'],
      ['list', 's3://'],
      ['list', 'file:///backups'],
      ['list', 'S3://bucket'],
      ['list', ''],
      ['prune', folder, '--keep', '1d'],
    ]) {
      const { code, stderr, json } = await run(['backup', ...argv], env);
      expect({ argv, code, json }).toEqual({ argv, code: 1, json: undefined });
      expect(stderr.trim().split('\n'), argv.join(' ')).toEqual([expect.any(String)]);
    }
    expect(await run(['backup', 'create', 'there'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no installation: .*nothing \(DATA_DIR\) does not/),
    });
  });

  it('a damaged backup is named, and the exit code is 1', async () => {
    await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
    const env = { DATA_DIR: join(folder, 'damaged') };
    await run(['--new', 'seed', 'seed.json'], env);
    await run(['backup', 'create', 'there'], env);
    const paths = await readdir(join(folder, 'there/files'), { recursive: true });
    const sizes = await Promise.all(
      paths
        .filter((path) => path.length > 60)
        .map(async (path) => ({ path, bytes: await readFile(join(folder, 'there/files', path)) })),
    );
    const [largest] = sizes.toSorted((a, b) => b.bytes.length - a.bytes.length);
    if (largest === undefined) expect.unreachable();
    await writeFile(join(folder, 'there/files', largest.path), largest.bytes.subarray(1));
    const verified = await run(['backup', 'verify', 'there'], env);
    expect(verified).toMatchObject({ code: 1, stderr: 'One part is damaged.\n' });
    expect(verified.json.damaged).toEqual([expect.stringContaining(largest.path)]);
  });
});
