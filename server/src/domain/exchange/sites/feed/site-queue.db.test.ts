import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestContext } from '../../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { reconcileSite } from './reconcile-site.ts';

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
