import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createConfig } from '../../src/config/config.ts';
import { parseSettings, readEnvironment } from '../../src/config/environment.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { deleteEpisode } from '../../src/domain/publishing/episodes/index.ts';
import { sweepFiles } from '../../src/domain/service/files/index.ts';
import { deletePodcast } from '../../src/domain/service/shows/index.ts';
import { startHttp } from '../../src/start-http.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { freePort } from '../free-port.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { testDatabaseUrl } from '../postgres-available.ts';

const run = promisify(execFile);
const documented = await readFile(new URL('../../../docs/operate.md', import.meta.url), 'utf8');

let app: TestApp;
let folder: string;
const restored = `podstead_restored_${Date.now()}_${randomBytes(6).toString('hex')}`;

async function asOperator(statement: string): Promise<void> {
  const client = new pg.Client(testDatabaseUrl);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function urlOfRestored(): string {
  const url = new URL(testDatabaseUrl);
  url.pathname = `/${restored}`;
  return url.href;
}

beforeEach(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'podstead-backup-'));
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
  await asOperator(`drop database if exists ${restored} with (force)`);
});

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('the documented backup', () => {
  it('restores all audio, whatever changes between its two steps', async () => {
    const show = await makePodcast(app.ctx, { slug: 'kept' });
    const other = await makePodcast(app.ctx, { slug: 'other' });
    const episodes = [];
    for (const podcast of [show, show, show, other]) {
      const episode = await makeEpisode(app.ctx, podcast, { status: 'published' });
      await attachTone(app.ctx, episode.id, 1);
      episodes.push(episode);
    }
    const [untouched, replaced, deleted] = episodes;
    const dump = join(folder, 'podstead.dump');
    const options = ['--format=custom', '--exclude-table-data=download_secrets*'];
    for (const option of options) expect(documented.replaceAll("'", '')).toContain(option);
    await run('pg_dump', [...options, '--file', dump, app.databaseUrl ?? '']);

    await attachTone(app.ctx, replaced?.id ?? '', 2);
    await deleteEpisode(app.ctx, deleted?.id ?? '');
    await deletePodcast(app.ctx, other.id);
    // Background work goes on during the backup. All of these files are older than a day.
    await app.database.pool.query(
      `update unreferenced_files set since = now() + interval '2 days'`,
    );
    app.clock.set(new Date(Date.now() + 49 * 3_600_000));
    await sweepFiles(app.ctx);
    await cp(join(app.config.dataDir, 'blobs'), join(folder, 'blobs'), { recursive: true });

    await asOperator(`create database ${restored}`);
    await run('pg_restore', ['--no-owner', '--dbname', urlOfRestored(), dump]);
    const settings = {
      ...{ DATA_DIR: folder, DATABASE_URL: urlOfRestored(), SECRET: 'x'.repeat(32) },
      ...{ PORT: String(await freePort()), LOG_LEVEL: 'silent', WORKER: 'off' },
    };
    await using copy = await createApp(createConfig(parseSettings(readEnvironment(settings))));
    await using http = await startHttp(copy);
    for (const { id, slug } of [untouched, replaced, deleted, episodes[3]].filter(
      (episode) => episode !== undefined,
    )) {
      const response = await fetch(`${http.url}/media/${id}/${slug}.mp3`);
      expect(response.status, slug).toBe(200);
      expect((await response.bytes()).length).toBeGreaterThan(1_000);
    }
  });
});
