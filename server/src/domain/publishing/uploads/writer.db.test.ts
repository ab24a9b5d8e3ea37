import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import { createUpload, openUpload } from './index.ts';
import { awaitWriter } from './uploads.sql.ts';

/** An upload that is idle for a day is gone. */
const aheadMs = 23 * 3_600_000;
let test: TestContext;
let ctx: Context;
let id: string;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  const user = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: user });
  const { id: episodeId } = await makeEpisode(test.ctx, show);
  ctx = test.contextFor({ kind: 'user', userId: user.id });
  id = newId();
  await createUpload(ctx, {
    ...{ id, purpose: 'audio', podcastId: show.id, episodeId, filename: 'a.mp3' },
    ...{ sizeBytes: 100, sha256: undefined },
  });
});

it('requests for an upload that is written to are refused, except the last, which waits', async () => {
  const { promise: awaited, resolve } = Promise.withResolvers<void>();
  const first = await openUpload(ctx, id, { onAwaited: resolve });
  let opened = 0;
  const refused: unknown[] = [];
  const { promise: allRefused, resolve: noteLast } = Promise.withResolvers<void>();
  const others = Array.from({ length: 20 }, async () => {
    try {
      await using _writing = await openUpload(ctx, id);
      opened += 1;
    } catch (error) {
      if (refused.push(error) === 19) noteLast();
    }
  });
  await allRefused;
  await awaited;
  expect(opened).toBe(0);
  await first[Symbol.asyncDispose]();
  await Promise.all(others);
  expect([opened, refused.length]).toEqual([1, 19]);
  for (const error of refused) expect(error).toMatchObject({ kind: 'service_unavailable' });
  await using _next = await openUpload(ctx, id);
});

it('the row of an upload is written once for all who wait', async () => {
  await using first = await openUpload(ctx, id);
  const version = async () => {
    const { rows } = await test.database.pool.query(
      'select xmin::text, writer_awaited from uploads where id = $1',
      [id],
    );
    return rows[0];
  };
  expect(await awaitWriter(ctx.db, id)).toEqual(first.writer);
  const told = await version();
  expect(told).toMatchObject({ writer_awaited: true });
  expect(await awaitWriter(ctx.db, id)).toEqual(first.writer);
  expect(await version()).toEqual(told);
});

// FAULT-2
it('an upload can go on if its writer was killed while the clock was ahead', async () => {
  test.clock.advance(aheadMs);
  const killed = await openUpload(ctx, id);
  test.clock.advance(-aheadMs);
  await using next = await openUpload(ctx, id);
  expect(next.writer).not.toEqual(killed.writer);
  await killed[Symbol.asyncDispose]();
});
