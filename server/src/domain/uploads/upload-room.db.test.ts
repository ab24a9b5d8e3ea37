import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../test/make.ts';
import { newId } from '../../lib/uuid.ts';
import type { BlobStore } from '../../platform/blob-store/blob-store.ts';
import { openDiskBlobStore } from '../../platform/blob-store/disk-blob-store.ts';
import { DiskReserveError } from '../../platform/blob-store/disk-room.ts';
import { appendToUpload, createUpload, openUpload, removeUpload } from './index.ts';

const mb = 1024 * 1024;

let test: TestContext;
let folder: string;
/** Of two processes that share a disk of 700 MB. */
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

async function makeSender(n: number) {
  const user = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: user });
  const { id: episodeId } = await makeEpisode(test.ctx, show);
  const acting = test.contextFor({ kind: 'user', userId: user.id });
  const ctx = { ...acting, blobs: stores[n % stores.length]! };
  const id = newId();
  const begin = () =>
    createUpload(ctx, {
      ...{ id, purpose: 'audio', podcastId: show.id, episodeId, filename: 'a.mp3' },
      ...{ sizeBytes: 260 * mb, sha256: undefined },
    });
  return { ctx, id, begin };
}

it('of four uploads that begin in two processes, those begin that fit on the disk together', async () => {
  const senders = await Promise.all([0, 1, 2, 3].map(makeSender));
  const tries = await Promise.allSettled(senders.map(({ begin }) => begin()));
  const [first, ...more] = senders.filter((_, n) => tries[n]?.status === 'fulfilled');
  expect(more).toEqual([]);
  for (const one of tries)
    if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(DiskReserveError);
  const [second, third] = senders.filter((one) => one !== first);

  // It is given up.
  await removeUpload(first!.ctx, first!.id);
  await second!.begin();
  await expect(third!.begin()).rejects.toThrow(DiskReserveError);

  // Its sender is silent, and then goes on.
  test.clock.advance(16 * 60_000);
  await third!.begin();
  {
    await using writing = await openUpload(second!.ctx, second!.id);
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), Buffer.alloc(90_000)]);
    await appendToUpload(second!.ctx, writing, [tag] as unknown as AsyncIterable<Buffer>);
  }
  test.clock.advance(60_000);
  await removeUpload(third!.ctx, third!.id);
  await expect(senders.at(-1)!.begin()).rejects.toThrow();
  await expect(first!.begin()).rejects.toThrow(DiskReserveError);
});
