import { expect, it } from 'vitest';
import type { TestApp } from '../../../../test/create-test-app.ts';
import {
  backUp,
  codeOf,
  openFolder,
  openInstallation,
  openRepository,
  restore,
} from '../../../../test/use-backups.ts';
import { findSnapshotToRestore, listBackups, pruneBackups } from './index.ts';

// BACKUP-22
it('the backups of an old machine that is switched on again are told from the others', async () => {
  const repository = await openRepository(await openFolder());
  const [old, app] = [await openInstallation(), await openInstallation()];
  // The databases of tests are copies of one.
  const setUp = async ({ database }: TestApp, ago: string) =>
    await database.pool.query(
      `update schema_migrations set applied_at = now() - interval '${ago}'`,
    );
  await setUp(old, '2 days');
  await setUp(app, '1 day');
  const first = await backUp(old, repository);
  await restore(app, repository, first.snapshot);
  const own = await backUp(app, repository);
  expect(own.rival).toBeUndefined();
  expect(await findSnapshotToRestore(repository)).toBe(own.snapshot);
  const again = await backUp(old, repository);
  expect(again.rival).toEqual({ name: own.snapshot, isCopy: false });
  const newest = await backUp(app, repository);
  expect(newest.rival).toEqual({ name: again.snapshot, isCopy: false });
  const both = `${newest.snapshot}, ${again.snapshot}.`;
  expect(await codeOf(findSnapshotToRestore(repository))).toContain(`${both} Name the one`);
  await pruneBackups(repository, { days: 1, weeks: 0, months: 0 });
  const notes: string[] = [];
  expect(await listBackups(repository, (note) => notes.push(note))).toHaveLength(2);
  expect(notes).toEqual([expect.stringContaining(both)]);
});

it('a backup of a copied database is noticed, although it looks like one of its own', async () => {
  const repository = await openRepository(await openFolder());
  // The databases of tests are copies of one.
  const [app, copy] = [await openInstallation(), await openInstallation()];
  expect((await backUp(app, repository)).rival).toBeUndefined();
  const foreign = await backUp(copy, repository);
  expect((await backUp(app, repository)).rival).toEqual({ name: foreign.snapshot, isCopy: true });
  expect((await backUp(app, repository)).rival).toBeUndefined();
});
