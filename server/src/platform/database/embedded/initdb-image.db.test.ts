import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import type { DatabaseLog } from '../database-log.ts';
import { type DataFile, unpackImage } from './image-format.ts';
import { readInitdbImage, runInitdb } from './initdb-image.ts';

const log: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
const options = { timeout: 600_000, skip: process.env['TEST_DATABASE'] === 'postgres' };

// Times, and the random number that names an installation.
const differs = /^(?:pg_wal\/[0-9A-F]{24}|global\/pg_control)$/;

describe('the image in the repository', options, () => {
  test("the image in the repository equals the result of PGlite's initdb (else run `npm run initdb`)", async () => {
    const kept = await readInitdbImage();
    expect(kept).toBeDefined();
    expect(hexByPath(unpackImage(kept!))).toEqual(hexByPath(await runInitdb(log)));
  });

  // initdb would generate another identifier.
  test('the image in the repository is copied for a new database', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'podstead-initdb-'));
    try {
      await using database = await openDatabase({ kind: 'embedded', dataDir, log });
      const { rows } = await database.pool.query<{ id: string }>(
        'select system_identifier::text as id from pg_control_system()',
      );
      expect(rows).toEqual([{ id: String(systemIdentifier((await readInitdbImage())!)) }]);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});

function hexByPath(files: readonly DataFile[]): Map<string, string | undefined> {
  const hex = ([path, content]: DataFile) =>
    content === null || differs.test(path) ? undefined : Buffer.from(content).toString('hex');
  return new Map(files.map((file) => [file[0], hex(file)]));
}

/** The first field of pg_control. */
function systemIdentifier(image: Uint8Array): bigint {
  const [, content] = unpackImage(image).find(([path]) => path === 'global/pg_control')!;
  return Buffer.from(content!).readBigUInt64LE();
}
