import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestContext } from '../../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { reconcileSite } from './reconcile-site.ts';
import { queueForUser } from './site-queue.ts';

it('leaves connections for others while many calls wait for one site', async ({ skip }) => {
  await using test = await createTestContext();
  const { ctx, databaseUrl } = test;
  if (databaseUrl === undefined) return skip('the embedded database has one connection');
  const owner = await makeUser(ctx);
  const { siteId } = await makeSite(ctx, owner, [await makePodcast(ctx, { owner })]);
  const holder = new pg.Client(databaseUrl);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from sites where id = $1 for update', [siteId]);

  // More than the pool has connections.
  const calls = Array.from({ length: 20 }, () => reconcileSite(ctx, siteId));
  const { rows } = await test.database.pool.query('select 1 as answer');
  expect(rows).toEqual([{ answer: 1 }]);
  await holder.query('rollback');
  await holder.end();
  expect((await Promise.all(calls)).at(-1)).toEqual({ seq: 0, isBehind: false });
});

it('sites of one user are compared one after the other, beside those of others', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const compare = (siteId: string, userId: string) =>
    queueForUser(userId, () => {
      begun.push(siteId);
      return new Promise<void>((resolve) => ends.set(siteId, resolve));
    });
  const all = [compare('a1', 'a'), compare('a2', 'a'), compare('b1', 'b')];
  await setImmediate();
  expect(begun).toEqual(['a1', 'b1']);
  ends.get('a1')?.();
  await all[0];
  await setImmediate();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  for (const end of ends.values()) end();
  await Promise.all(all);
});
