import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import { deletePodcast } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

/** A show and the key of the feed that an interrupted import of it has stored. */
async function makeImportedShow() {
  const owner = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner });
  const id = randomUUID();
  const key = `imports/${id}/${randomUUID()}.xml`;
  await test.ctx.blobs.put(key, Buffer.from('<rss/>'), 'application/xml');
  await test.database.pool.query(
    `insert into imports (id, owner_id, podcast_id, documents, copy_audio, creates_podcast, state, progress,
       created_at, updated_at)
     values ($1, $2, $3, $4, true, true, 'running', '{}', now(), now())`,
    [id, owner.id, show.id, JSON.stringify([{ key, url: null, charset: null }])],
  );
  return { show, key };
}

it('the stored feed of an import is deleted at once when its show is deleted', async () => {
  const [{ show, key }, other] = [await makeImportedShow(), await makeImportedShow()];
  await deletePodcast(test.ctx, show.id);
  expect(await test.ctx.blobs.stat(key)).toBeUndefined();
  expect(await test.ctx.blobs.stat(other.key)).toEqual({ sizeBytes: 6 });
});

it('the stored feed of an import is kept when its show is not deleted', async () => {
  const { show, key } = await makeImportedShow();
  const refuse = async () => {
    throw new Error('the slug is wrong');
  };
  await expect(deletePodcast(test.ctx, show.id, refuse)).rejects.toThrow('the slug is wrong');
  expect(await test.ctx.blobs.stat(key)).toEqual({ sizeBytes: 6 });
});

it('a show is deleted although the file store does not delete the feed of its import', async () => {
  const { show } = await makeImportedShow();
  const blobs = new Proxy(test.ctx.blobs, {
    get(target, name) {
      if (name === 'delete') return () => Promise.reject(new Error('the store is away'));
      const member = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const { podcast } = await deletePodcast({ ...test.ctx, blobs }, show.id);
  expect(podcast.id).toBe(show.id);
});
