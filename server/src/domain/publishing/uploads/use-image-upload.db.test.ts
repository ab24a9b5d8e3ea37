import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { newId } from '../../../lib/uuid.ts';
import type { BlobStore } from '../../../platform/blob-store/blob-store.ts';
import { updateEpisode } from '../episodes/index.ts';
import { appendToUpload, createUpload, openUpload, useEpisodeArtwork } from './index.ts';

/** A store that calls `meanwhile` before each put. */
function interrupt(blobs: BlobStore, meanwhile: () => Promise<unknown>): BlobStore {
  const put: BlobStore['put'] = async (...file) => {
    await meanwhile();
    return await blobs.put(...file);
  };
  return new Proxy(blobs, {
    get(target, name) {
      const member = name === 'put' ? put : Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** An uploaded picture for an episode, and what its owner needs to use it. */
async function uploadPicture(test: TestContext, sha256?: string) {
  const user = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: user });
  const { id: episodeId } = await makeEpisode(test.ctx, show);
  const ctx = test.contextFor({ kind: 'user', userId: user.id });
  const create = { width: 1400, height: 1400, channels: 3, background: '#a45' } as const;
  const picture = await sharp({ create }).png().toBuffer();
  const id = newId();
  const about = { purpose: 'image', podcastId: show.id, episodeId, filename: 'a.png' } as const;
  await createUpload(ctx, { ...about, id, sizeBytes: picture.length, sha256 });
  await using writing = await openUpload(ctx, id);
  await appendToUpload(ctx, writing, [picture] as unknown as AsyncIterable<Buffer>);
  return { ctx, episodeId, sent: { episodeId, uploadId: id } };
}

it('opens the file in its turn, because many may wait', async () => {
  await using test = await createTestContext();
  const { ctx, sent } = await uploadPicture(test);
  const read = vi.spyOn(ctx.blobs, 'read');
  const turn = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const processes = Object.create(ctx.processes, {
    run: {
      value: async (...job: Parameters<typeof ctx.processes.run>) => {
        asked.resolve();
        await turn.promise;
        await ctx.processes.run(...job);
      },
    },
  });
  const used = useEpisodeArtwork({ ...ctx, processes }, sent);
  await asked.promise;
  expect(read).not.toHaveBeenCalled();
  turn.resolve();
  expect(await used).toMatchObject({ width: 1400 });
  expect(read).toHaveBeenCalledOnce();
});

it('refuses and removes a damaged file', async () => {
  await using test = await createTestContext();
  const { ctx, sent } = await uploadPicture(test, '0'.repeat(64));
  const refused = await refusalOf(useEpisodeArtwork(ctx, sent));
  expect(refused.details[0]).toMatchObject({ field: 'upload_id', reason: 'checksum' });
  expect((await refusalOf(useEpisodeArtwork(ctx, sent))).kind).toBe('not_found');
});

it('keeps neither row nor file of a picture if the episode changes meanwhile', async () => {
  await using test = await createTestContext();
  const { ctx, episodeId, sent } = await uploadPicture(test);
  const left = async () => {
    const files: string[] = [];
    for await (const batch of test.ctx.blobs.list('images')) {
      files.push(...batch.map(({ key }) => key));
    }
    const { rows } = await test.database.pool.query('select id from images');
    return { files: files.length, rows: rows.length };
  };
  let edits = 0;
  const change = async () => {
    edits += 1;
    if (edits === 1) await updateEpisode(test.ctx, episodeId, { title: 'Changed meanwhile' });
  };
  const interrupted = { ...ctx, blobs: interrupt(ctx.blobs, change) };
  const refused = await refusalOf(useEpisodeArtwork(interrupted, sent, { expected: 1 }));
  expect(refused.kind).toBe('precondition_failed');
  expect(edits).toBeGreaterThan(1);
  expect(await left()).toEqual({ files: 0, rows: 0 });
  expect(await useEpisodeArtwork(ctx, sent, { expected: 2 })).toMatchObject({ revision: 3 });
  expect(await left()).toEqual({ files: 4, rows: 1 });
});
