import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { deleteEpisodesOfPodcast } from '../../publishing/episodes/index.ts';
import { setTranscript } from '../../publishing/transcripts/index.ts';
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

it('a show is deleted by at most so many episodes at once, and so many bytes of transcripts', async () => {
  const show = await makePodcast(test.ctx);
  const segments = [{ startMs: 0, endMs: 1000, speaker: 'Ada', text: 'Hello' }];
  const transcript = { language: 'en', wordCount: 1, durationMs: 1000, segments };
  for (let index = 0; index < 3; index += 1) {
    await setTranscript(test.ctx, (await makeEpisode(test.ctx, show)).id, transcript);
  }
  for (let index = 0; index < 3; index += 1) await makeEpisode(test.ctx, show, { status: 'draft' });
  const remove = (episodes: number, bytes: number) =>
    deleteEpisodesOfPodcast(test.ctx.db, show.id, { episodes, bytes });
  expect(await remove(2, 150)).toBe(2);
  // The last draft, and of the others those whose 108 bytes each reach the limit together.
  expect(await remove(200, 150)).toBe(3);
  expect((await deletePodcast(test.ctx, show.id)).episodes).toBe(1);
});
