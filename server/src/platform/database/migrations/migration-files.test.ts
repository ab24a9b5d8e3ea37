import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  hashMigrations,
  MigrationError,
  migrationsFolder,
  readMigrations,
} from './migration-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-migrations-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
}

test('files are sorted by number; files that are not SQL are ignored', async () => {
  await write({ '0002-b.sql': 'select 2', '0001-a.sql': 'select 1', 'README.md': 'words' });
  const names = (await readMigrations(folder)).map(({ name }) => name);
  expect(names).toEqual(['0001-a.sql', '0002-b.sql']);
});

test.each([
  [{ '1-a.sql': '' }, /1-a\.sql/],
  [{ '0001_a.sql': '' }, /0001_a\.sql/],
  [{ '0001-a.sql': '', '0001-b.sql': '' }, /0001/],
])('%j is refused', async (files, message) => {
  await write(files as Record<string, string>);
  await expect(readMigrations(folder)).rejects.toThrow(MigrationError);
  await expect(readMigrations(folder)).rejects.toThrow(message);
});

test('the hash of a file ignores line endings and no other change', async () => {
  const hashes = new Map<string, string>();
  for (const sql of ['select 1;\n', 'select 1;\r\n', 'select 2;\n']) {
    await write({ '0001-a.sql': sql });
    hashes.set(sql, hashMigrations(await readMigrations(folder)));
  }
  expect(hashes.get('select 1;\r\n')).toBe(hashes.get('select 1;\n'));
  expect(hashes.get('select 2;\n')).not.toBe(hashes.get('select 1;\n'));
});

test("Podstead's own are in order", async () => {
  expect((await readMigrations(migrationsFolder)).length).toBeGreaterThan(0);
});
