import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { deleteExcessThreads } from './threads.sql.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

it('the comments that were requested least recently are deleted when all have too many bytes', async () => {
  const { pool } = test.database;
  // Letters that hardly become less when they are compressed.
  await pool.query(
    `insert into comment_threads (post_url, asked_at, read_at, comments)
     select 'https://social.example/' || n, $1::timestamptz - n * interval '1 minute', now(),
       (select jsonb_agg(md5(n::text || part)) from generate_series(1, 3000) part)
     from generate_series(1, 40) n`,
    [test.clock.now()],
  );
  const keep = async (mostBytes: number) => {
    while ((await deleteExcessThreads(test.ctx.db, mostBytes, 7)) > 0);
    const { rows } = await pool.query<{ n: number }>(
      `select substring(post_url from '[0-9]+$')::int as n from comment_threads order by n`,
    );
    return rows.map(({ n }) => n);
  };
  expect(await keep(1_000_000_000)).toHaveLength(40);
  const kept = await keep(1_000_000);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(20);
  expect(kept).toEqual(kept.map((_, index) => index + 1));
});
