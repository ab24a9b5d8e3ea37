import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
import type { BlobStore } from '../../../platform/blob-store/blob-store.ts';
import { openDiskBlobStore } from '../../../platform/blob-store/disk-blob-store.ts';
import { DiskReserveError } from '../../../platform/blob-store/disk-room.ts';
import { appendToUpload, createUpload, openUpload, removeUpload } from './index.ts';

const mb = 1024 * 1024;

let test: TestContext;
let folder: string;
/** Of two processes that share a disk of 700 MB, of which 256 are its reserve. */
let stores: BlobStore[];
beforeAll(async () => {
  test = await createTestContext();
  folder = await mkdtemp(join(tmpdir(), 'podstead-room-'));
  const room = { spareBytes: 256 * mb, readFreeBytes: async () => 700 * mb };
  stores = [await openDiskBlobStore(folder, { room }), await openDiskBlobStore(folder, { room })];
});
afterAll(async () => {
  for (const store of stores) await store[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
  await test[Symbol.asyncDispose]();
});

async function makeSender(n: number, sizeMb = 260) {
  const user = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: user });
  const { id: episodeId } = await makeEpisode(test.ctx, show);
  const acting = test.contextFor({ kind: 'user', userId: user.id });
  const ctx = { ...acting, blobs: stores[n % stores.length]! };
  const id = newId();
  const begin = () =>
    createUpload(ctx, {
      ...{ id, purpose: 'audio', podcastId: show.id, episodeId, filename: 'a.mp3' },
      ...{ sizeBytes: sizeMb * mb, sha256: undefined },
    });
  const send = async (bytes: number) => {
    await using writing = await openUpload(ctx, id);
    const tag = Buffer.alloc(bytes);
    tag.write('ID3\x04', 'latin1');
    await appendToUpload(ctx, writing, [tag] as unknown as AsyncIterable<Buffer>);
  };
  return { begin, send, cancel: () => removeUpload(ctx, id) };
}

it('the second of two uploads in two processes begins only if the sent part of the first finds its rest', async () => {
  // 444 MB are free throughout: what is written does not reduce them here.
  const [first, second] = [await makeSender(0, 40), await makeSender(1, 425)];
  await first.begin();
  await first.send(20 * mb);
  await expect(second.begin()).rejects.toThrow(DiskReserveError);

  // Its sender is silent, and then continues.
  test.clock.advance(16 * 60_000);
  await second.begin();
  await second.cancel();
  await first.send(1_000);
  await expect(second.begin()).rejects.toThrow(DiskReserveError);

  await first.cancel();
  await second.begin();
  await second.cancel();
});

it('uploads that are only announced do not keep others out', async () => {
  const announced = await Promise.all(Array.from({ length: 12 }, (_, n) => makeSender(n)));
  for (const { begin } of announced) await begin();
  const honest = await makeSender(0, 200);
  await honest.begin();
  for (const { cancel } of announced) await cancel();
  // What does not fit at all is refused at once.
  const large = await makeSender(1, 445);
  await expect(large.begin()).rejects.toThrow(DiskReserveError);
});

it('an upload that begins at the same moment as another gets the last place of their user, or the other does', async () => {
  const user = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: user });
  const { id: episodeId } = await makeEpisode(test.ctx, show);
  const acting = test.contextFor({ kind: 'user', userId: user.id });
  const begin = () =>
    createUpload(acting, {
      ...{ id: newId(), purpose: 'audio', podcastId: show.id, episodeId, filename: 'a.mp3' },
      ...{ sizeBytes: 5, sha256: undefined },
    });
  // At once, so that the pool has connections for both.
  await Promise.all(Array.from({ length: 29 }, begin));
  const both = await Promise.allSettled([begin(), begin()]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
