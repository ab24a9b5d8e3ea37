import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadDataImage } from '../../../../test/data-image.ts';
import { createEmbeddedPool } from '../connections/pools.ts';
import type { DatabaseLog } from '../database-log.ts';
import { migrationsFolder } from '../migrations/migration-files.ts';
import { EmbeddedDatabaseCrashedError, EmbeddedEngine } from './embedded-engine.ts';

const log: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.skipIf(process.env['TEST_DATABASE'] === 'postgres')('EmbeddedEngine', () => {
  test('ends a statement that runs too long, and the queries behind it', async () => {
    const image = await loadDataImage(migrationsFolder, log);
    await using engine = new EmbeddedEngine({ filesDir: undefined, image }, log, 1);
    const pool = createEmbeddedPool(engine, log);
    const endless = pool.query('select count(*) from generate_series(1, 1000000000000)');
    const behind = pool.query('select 1');
    // Either may end first.
    await Promise.all([
      expect(endless).rejects.toThrow('more than 1 s'),
      expect(behind).rejects.toThrow(),
    ]);
    await pool.end();
  });

  test('a database that could not start rests before it is started again', async () => {
    const filesDir = await mkdtemp(join(tmpdir(), 'podstead-engine-'));
    await writeFile(join(filesDir, 'PG_VERSION'), 'damaged');
    const logged: string[] = [];
    const error = (_: object, message: string) => void logged.push(message);
    await using engine = new EmbeddedEngine({ filesDir, image: undefined }, { ...log, error });
    const failure = await engine.ensureRunning().catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(EmbeddedDatabaseCrashedError);
    await expect(engine.ensureRunning()).rejects.toBe(failure);
    expect(logged).toHaveLength(1);
    await rm(filesDir, { recursive: true });
  });
});
