import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
import { createUpload } from './index.ts';
import { purgeUploads } from './purge-uploads.job.ts';
import { expiryOf, uploadKey } from './upload.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

/** `target`, with another value of one property. */
const replaced = <T extends object, K extends keyof T>(target: T, key: K, value: T[K]): T =>
  new Proxy(target, { get: (_, name) => (name === key ? value : Reflect.get(target, name)) });

/** Begins uploads of a new user. */
async function makeSender() {
  const user = await makeUser(test.ctx);
  const podcast = await makePodcast(test.ctx, { owner: user });
  const { id: episodeId } = await makeEpisode(test.ctx, podcast, { status: 'draft' });
  return async () => {
    const id = newId();
    await createUpload(test.contextFor({ kind: 'user', userId: user.id }), {
      ...{ id, purpose: 'audio', podcastId: podcast.id, episodeId, filename: 'a.mp3' },
      ...{ sizeBytes: 1_000, sha256: undefined },
    });
    return id;
  };
}

const left = async () =>
  (await test.database.pool.query<{ id: string }>('select id from uploads')).rows.map(
    ({ id }) => id,
  );

it('an upload that cannot be removed is logged, and does not keep the others', async () => {
  const { ctx } = test;
  const begin = await makeSender();
  const [stuck, ...others] = [await begin(), await begin(), await begin()];
  test.clock.advance(23 * 3_600_000);
  const warn = vi.spyOn(ctx.log, 'warn');
  await purgeUploads(ctx);
  expect((await left()).toSorted()).toEqual([stuck, ...others].toSorted());
  test.clock.advance(2 * 3_600_000);
  const { partial } = ctx.blobs;
  const remove: typeof partial.remove = async (blob) => {
    if (blob.key === uploadKey(stuck as string)) throw new Error('the store is away');
    await partial.remove(blob);
  };
  const broken = replaced(ctx.blobs, 'partial', replaced(partial, 'remove', remove));
  await purgeUploads({ ...ctx, blobs: broken });
  expect(await left()).toEqual([stuck]);
  const err = expect.objectContaining({ message: 'the store is away' });
  expect(warn.mock.calls).toEqual([[{ err }, 'an expired upload was not removed']]);
  await purgeUploads(ctx);
  expect(await left()).toEqual([]);
  expect(warn).toHaveBeenCalledTimes(1);
});

it('expired uploads that cannot be removed hold up none of those that follow', async () => {
  const { ctx } = test;
  const begin = await makeSender();
  const stuck = [await begin(), await begin()];
  for (let at = 0; at < 3; at += 1) await begin();
  test.clock.advance(25 * 3_600_000);
  vi.spyOn(ctx.log, 'warn').mockReturnValue(undefined);
  const { partial } = ctx.blobs;
  const remove: typeof partial.remove = async (blob) => {
    if (stuck.some((id) => blob.key === uploadKey(id))) throw new Error('a bad file');
    await partial.remove(blob);
  };
  const blobs = replaced(ctx.blobs, 'partial', replaced(partial, 'remove', remove));
  await purgeUploads({ ...ctx, blobs }, undefined, 2);
  expect((await left()).toSorted()).toEqual(stuck.toSorted());
});

it('an upload that goes on while others are removed is kept', async () => {
  const { ctx } = test;
  const begin = await makeSender();
  await begin();
  test.clock.advance(1_000);
  const second = await begin();
  test.clock.advance(25 * 3_600_000);
  const { partial } = ctx.blobs;
  const remove: typeof partial.remove = async (blob) => {
    const goOn = "update uploads set expires_at = expires_at + interval '1 day' where id = $1";
    await test.database.pool.query(goOn, [second]);
    await partial.remove(blob);
  };
  await purgeUploads({
    ...ctx,
    blobs: replaced(ctx.blobs, 'partial', replaced(partial, 'remove', remove)),
  });
  expect(await left()).toEqual([second]);
});

it('an upload expires a day after its last bytes, and at most six days after its beginning', () => {
  const begun = new Date('2026-03-01T00:00:00Z');
  const expiry = (lastBytes: string) => expiryOf(begun, new Date(lastBytes)).toISOString();
  expect(expiry('2026-03-04T12:00:00Z')).toBe('2026-03-05T12:00:00.000Z');
  expect(expiry('2026-03-06T12:00:00Z')).toBe('2026-03-07T00:00:00.000Z');
});
