import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSeed } from '../../../../test/load-seed.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import { makePipe } from '../../../../test/make-pipe.ts';
import {
  backedUpSeed,
  backUp,
  codeOf,
  openFolder,
  openInstallation,
  openRepository,
  readAllFiles,
  restore,
} from '../../../../test/use-backups.ts';
import { createApp } from '../../../app.ts';
import {
  BackupRefusedError,
  type BackupRepository,
  DamagedBackupError,
  verifyBackup,
} from './index.ts';
import { refuseUnfinishedRestore } from './unfinished-restore.ts';

/** A backup with a podcast. `path`: the file with the rows of its table. */
async function backUpPodcast() {
  const folder = await openFolder();
  const repository = await openRepository(folder);
  const app = await openInstallation();
  await makePodcast(app.ctx);
  const { snapshot } = await backUp(app, repository);
  const { tables } = await repository.readManifest(snapshot);
  const sha256 = tables.find(({ name }) => name === 'podcasts')?.parts[0]?.sha256 ?? '';
  return { repository, snapshot, sha256, path: join(folder, 'files', sha256.slice(0, 2), sha256) };
}

describe('what a restore refuses', () => {
  it('an installation that is not empty stays as it is', async () => {
    const [app, other] = [await openInstallation(), await openInstallation()];
    const repository = await openRepository(await openFolder());
    await makePodcast(app.ctx);
    await makeUser(other.ctx);
    const { snapshot } = await backUp(app, repository);
    await expect(restore(other, repository, snapshot)).rejects.toThrow('not empty');
    expect((await other.database.pool.query('select from podcasts')).rowCount).toBe(0);
    await refuseUnfinishedRestore(other.database.pool);
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

  it('a named pipe in the place of rows is named, and nothing waits for it', async () => {
    const { repository, snapshot, sha256, path } = await backUpPodcast();
    await rm(path);
    makePipe(path);
    expect((await verifyBackup(repository, snapshot)).damaged).toEqual([
      expect.stringContaining(sha256),
    ]);
    const other = await openInstallation();
    expect(await codeOf(restore(other, repository, snapshot))).toContain('DamagedBackupError');
  });

  it('rows that are damaged, cut or missing are named, and restored nowhere', async () => {
    const { repository, snapshot, sha256, path } = await backUpPodcast();
    const whole = await readFile(path);
    const flipped = Buffer.from(whole);
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    for (const bytes of [flipped, whole.subarray(0, -1), Buffer.concat([whole, whole])]) {
      await writeFile(path, bytes);
      expect((await verifyBackup(repository, snapshot)).damaged).toEqual([
        expect.stringContaining(sha256),
      ]);
    }
    const other = await openInstallation();
    expect(await codeOf(restore(other, repository, snapshot))).toContain('DamagedBackupError');
    expect((await other.database.pool.query('select from accounts')).rowCount).toBe(0);
    await expect(refuseUnfinishedRestore(other.database.pool)).rejects.toThrow('has not ended');
    await rm(path);
    expect((await verifyBackup(repository, snapshot)).damaged).toEqual([
      expect.stringContaining(sha256),
    ]);
    // With the right bytes, it continues.
    await writeFile(path, whole);
    expect((await restore(other, repository, snapshot)).differences).toEqual([]);
    await refuseUnfinishedRestore(other.database.pool);
  });

  it('a damaged file is named by both, and restored by neither', async () => {
    const folder = await openFolder();
    const repository = await openRepository(folder);
    const app = await openInstallation();
    await loadSeed(app, folder, { users: backedUpSeed.users, podcasts: backedUpSeed.podcasts });
    const { snapshot } = await backUp(app, repository);
    const [audio] = (await readAllFiles(repository, snapshot)).filter(([key = '']) =>
      key.startsWith('audio/'),
    );
    const [key = '', sha256 = ''] = audio ?? [];
    const path = join(folder, 'files', sha256.slice(0, 2), sha256);
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, 1000));
    expect((await verifyBackup(repository, snapshot)).damaged).toEqual([
      expect.stringContaining(sha256),
    ]);
    const other = await openInstallation();
    const { differences } = await restore(other, repository, snapshot);
    expect(differences).toEqual([`${key}: damaged in the backup`]);
    expect(await other.ctx.blobs.stat(key)).toBeUndefined();
    // It can be repaired by another run.
    await writeFile(path, whole);
    expect((await restore(other, repository, snapshot)).differences).toEqual([]);
  });

  it('a file store with files is refused', async () => {
    const repository = await openRepository(await openFolder());
    const [app, other] = [await openInstallation(), await openInstallation()];
    const { snapshot } = await backUp(app, repository);
    await other.ctx.blobs.put(`audio/${randomUUID()}.mp3`, Buffer.from('x'), 'audio/mpeg');
    await expect(restore(other, repository, snapshot)).rejects.toThrow('file store');
    await refuseUnfinishedRestore(other.database.pool);
  });

  it('rows that break the rules of the tables are damage', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    await makeUser(app.ctx);
    const { snapshot } = await backUp(app, repository);
    const manifest = await repository.readManifest(snapshot);
    const tables = manifest.tables.map((table) =>
      table.name === 'accounts' ? { ...table, rows: 0, parts: [], digest: '0'.repeat(64) } : table,
    );
    const { name } = await repository.writeManifest({ ...manifest, tables });
    const other = await openInstallation();
    expect(await codeOf(restore(other, repository, name))).toMatch(
      /^DamagedBackupError: .*refuses/,
    );
    expect((await other.database.pool.query('select from users')).rowCount).toBe(0);
  });

  it('a file that is listed twice, with other content, is damage; with the same, it is not', async () => {
    const repository = await openRepository(await openFolder());
    const made = await backUp(await openInstallation(), repository);
    const manifest = await repository.readManifest(made.snapshot);
    const [one, two] = ['one', 'two'].map((text) =>
      createHash('sha256').update(text).digest('hex'),
    );
    await repository.put(one ?? '', Buffer.from('one'));
    await repository.put(two ?? '', Buffer.from('two'));
    const key = `audio/${randomUUID()}.mp3`;
    const twice = await forge(repository, manifest, [
      [key, one ?? '', '3'],
      [key, two ?? '', '3'],
    ]);
    expect((await verifyBackup(repository, twice)).damaged).toEqual([expect.stringContaining(key)]);
    const code = await codeOf(restore(await openInstallation(), repository, twice));
    expect(code).toMatch(/^DamagedBackupError: .*two files/);
    const same = await forge(repository, manifest, [
      [key, one ?? '', '3'],
      [key, one ?? '', '3'],
    ]);
    expect((await verifyBackup(repository, same)).damaged).toEqual([]);
    expect((await restore(await openInstallation(), repository, same)).differences).toEqual([]);
  });

  it('names that lead out of the installation are damage', async () => {
    const repository = await openRepository(await openFolder());
    const app = await openInstallation();
    const made = await backUp(app, repository);
    const manifest = await repository.readManifest(made.snapshot);
    for (const key of ['../../etc/passwd', 'audio/../../x', '/etc/passwd', 'other/file.mp3']) {
      const forged = await forge(repository, manifest, [[key, 'a'.repeat(64), '3']]);
      expect((await verifyBackup(repository, forged)).damaged).toHaveLength(1);
      const other = await openInstallation();
      expect(await codeOf(restore(other, repository, forged))).toContain('DamagedBackupError');
    }
  });
});

// BACKUP-7
describe('other processes that start during a restore', () => {
  it('none of them migrates the database, and each says what to do', async () => {
    const app = await openInstallation();
    const { pool } = app.database;
    await pool.query("insert into restores (snapshot, begun_at) values ('some', now())");
    const { rows } = await pool.query(
      'delete from schema_migrations where name = (select max(name) from schema_migrations) returning name',
    );
    await expect(createApp(app.config, { database: app.database })).rejects.toThrow(
      /^The restore of some has not ended. Run `backup restore` again/,
    );
    const { name } = rows[0];
    const applied = await pool.query('select from schema_migrations where name = $1', [name]);
    expect(applied.rowCount).toBe(0);
  });

  it('one that migrated the database meanwhile is noticed before any row is there', async () => {
    const repository = await openRepository(await openFolder());
    const [app, other] = [await openInstallation(), await openInstallation()];
    await makePodcast(app.ctx);
    const { snapshot } = await backUp(app, repository);
    const openSession = async () => {
      await other.database.pool.query(
        "insert into schema_migrations (name, sha256) values ('9999-new.sql', '')",
      );
      return await other.database.openLongSession();
    };
    const restoring = restore(other, repository, snapshot, { openSession });
    await expect(restoring).rejects.toThrow('made by another version of Podstead');
    expect((await other.database.pool.query('select from podcasts')).rowCount).toBe(0);
  });
});

/** A backup that is whole by its hashes, with these lines in its list of files. */
async function forge(
  repository: BackupRepository,
  manifest: Awaited<ReturnType<BackupRepository['readManifest']>>,
  lines: readonly (readonly string[])[],
): Promise<string> {
  const { PartWriter } = await import('./rows.ts');
  const writer = new PartWriter((sha256, zipped) => repository.put(sha256, zipped), 'files');
  for (const line of lines) await writer.write(JSON.stringify(line));
  const { parts } = await writer.finish();
  const files = { count: lines.length, bytes: 3 * lines.length, parts: [...parts] };
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
    await loadSeed(app, await openFolder(), {
      users: backedUpSeed.users,
      podcasts: backedUpSeed.podcasts,
    });
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
      await expect(refuseUnfinishedRestore(other.database.pool)).rejects.toThrow('has not ended');
    }
    expect(stopped).toBeGreaterThan(3);
    expect((await other.database.pool.query('select from episodes')).rowCount).toBe(2);
  });
});
