import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ingest, makeAudioRequest, makeShow } from '../../../../test/downloads.ts';
import { createTestClock } from '../../../../test/test-clock.ts';
import { createApp } from '../../../app.ts';
import { loadConfig } from '../../../config/config.ts';
import { purgeEvidence, secretForDay } from './index.ts';

/** The tables' files below a folder that contain these bytes. The write-ahead log is apart. */
async function filesWith(folder: string, bytes: Buffer): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('pg_wal'))
    .map((entry) => join(entry.parentPath, entry.name));
  const found: string[] = [];
  for (const path of paths) if ((await readFile(path)).includes(bytes)) found.push(path);
  return found;
}

// COUNT-13
it('no table on the disk contains the secret or the listeners of a day that is closed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'podstead-secrets-'));
  const clock = createTestClock();
  try {
    await using app = await createApp(
      loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', NODE_ENV: 'test' }),
      { clock },
    );
    const { ctx } = app;
    const listener = 'c0ffee'.repeat(6).slice(0, 32);
    const secret = await secretForDay(ctx, '2026-03-10');
    await ingest(ctx, makeAudioRequest(ctx, await makeShow(ctx), { listener }));
    const write = () => app.database.pool.query('checkpoint');
    await write();
    const database = join(dataDir, 'database');
    // While the day is open, both are there: the search finds what it looks for.
    expect(await filesWith(database, secret)).toHaveLength(1);
    expect(await filesWith(database, Buffer.from(listener, 'hex'))).not.toEqual([]);
    clock.advance(3 * 86_400_000);
    await purgeEvidence(ctx);
    await write();
    expect(await filesWith(database, secret)).toEqual([]);
    expect(await filesWith(database, Buffer.from(listener, 'hex'))).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
