import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
import { createUpload } from './index.ts';
import { purgeUploads } from './purge-uploads.job.ts';
import { uploadKey } from './upload.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

/** `target`, with another value of one property. */
const replaced = <T extends object, K extends keyof T>(target: T, key: K, value: T[K]): T =>
  new Proxy(target, { get: (_, name) => (name === key ? value : Reflect.get(target, name)) });

it('an upload that cannot be removed is logged, and does not keep the others', async () => {
  const { ctx } = test;
  const user = await makeUser(ctx);
  const podcast = await makePodcast(ctx, { owner: user });
  const { id: episodeId } = await makeEpisode(ctx, podcast, { status: 'draft' });
  const begin = async () => {
    const id = newId();
    await createUpload(test.contextFor({ kind: 'user', userId: user.id }), {
      ...{ id, purpose: 'audio', podcastId: podcast.id, episodeId, filename: 'a.mp3' },
      ...{ sizeBytes: 1_000, sha256: undefined },
    });
    return id;
  };
  const [stuck, ...others] = [await begin(), await begin(), await begin()];
  const left = async () =>
    (await test.database.pool.query<{ id: string }>('select id from uploads')).rows.map(
      ({ id }) => id,
    );
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
