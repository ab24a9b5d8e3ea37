import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDiskFull } from '../disk-full.ts';
import type { BlobStore } from './blob-store.ts';
import { openDiskBlobStore } from './disk-blob-store.ts';
import { DiskReserveError, DiskRoom } from './disk-room.ts';

const mb = 1024 * 1024;
const spareBytes = 256 * mb;

/** A disk of 700 MB on which others have written `usedBytes`. */
let usedBytes = 0;
const makeRoom = () =>
  new DiskRoom('/', { spareBytes, readFreeBytes: async () => 700 * mb - usedBytes });
beforeEach(() => {
  usedBytes = 0;
});

describe('room on a disk', () => {
  it('room on a disk is given to the first of four files of which only one fits', async () => {
    const room = makeRoom();
    const tries = await Promise.allSettled([1, 2, 3, 4].map(() => room.reserve(260 * mb)));
    expect(tries.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'rejected'],
    ]);
    const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    for (const error of refused) expect(error).toBeInstanceOf(DiskReserveError);
    expect(refused.every(isDiskFull)).toBe(true);
  });

  it('room on a disk is free again when a file is given up or written', async () => {
    const room = makeRoom();
    {
      using _given = await room.reserve(400 * mb);
      await expect(room.reserve(100 * mb)).rejects.toThrow(DiskReserveError);
    }
    using written = await room.reserve(400 * mb);
    for (let n = 0; n < 400; n += 1) {
      await written.take(mb);
      usedBytes += mb;
    }
    await expect(room.reserve(45 * mb)).rejects.toThrow(DiskReserveError);
    using _rest = await room.reserve(44 * mb);
  });

  it('room on a disk is never used up by files of unknown size, whatever arrives at the same time', async () => {
    const room = makeRoom();
    const write = async (chunk: number) => {
      using reserved = await room.reserve();
      for (;;) {
        await reserved.take(chunk);
        usedBytes += chunk;
      }
    };
    const files = await Promise.allSettled([write(64_000), write(mb), write(3 * mb), write(1_000)]);
    expect(files.every(({ status }) => status === 'rejected')).toBe(true);
    expect(700 * mb - usedBytes).toBeGreaterThanOrEqual(spareBytes);
    // Nothing that is there was wasted by more than a step for each.
    expect(700 * mb - usedBytes).toBeLessThan(spareBytes + 5 * 16 * mb);
  });

  it('room on a disk is looked at again while a file arrives, because others write too', async () => {
    const room = makeRoom();
    using reserved = await room.reserve(300 * mb);
    await reserved.take(mb);
    usedBytes = 450 * mb;
    const rest = async () => {
      for (let n = 0; n < 17; n += 1) await reserved.take(mb);
    };
    await expect(rest()).rejects.toThrow(DiskReserveError);
  });

  it('room that was promised to one file and used by another process is not used up again', async () => {
    const room = makeRoom();
    usedBytes = 400 * mb;
    const write = async () => {
      using reserved = room.follow(200 * mb);
      for (;;) {
        await reserved.take(mb);
        usedBytes += mb;
      }
    };
    const files = await Promise.allSettled(Array.from({ length: 30 }, write));
    expect(files.every(({ status }) => status === 'rejected')).toBe(true);
    expect(700 * mb - usedBytes).toBeGreaterThanOrEqual(spareBytes);
  });

  it('uploads on a disk are counted once for others, and not for those who count them', async () => {
    const room = makeRoom();
    using _arriving = room.follow(16 * mb);
    await expect(room.reserve(429 * mb)).rejects.toThrow(DiskReserveError);
    await room.require(444 * mb);
    await expect(room.require(445 * mb)).rejects.toThrow(DiskReserveError);
  });
});

it('uploads that send nothing keep no more than a step of the disk from others', async () => {
  const room = makeRoom();
  const senders = Array.from({ length: 10 }, () => room.follow(2_048 * mb));
  using _other = await room.reserve(200 * mb);
  for (const sender of senders) sender[Symbol.dispose]();
});

it('files of slow senders keep a step of the disk from others, and must fit as a whole', async () => {
  const room = makeRoom();
  const senders = await Promise.all(
    Array.from({ length: 10 }, () => room.reserveArriving(280 * mb)),
  );
  await expect(room.reserveArriving(285 * mb)).rejects.toThrow(DiskReserveError);
  await room.require(200 * mb);
  for (const sender of senders.splice(1)) sender[Symbol.dispose]();
  using other = await room.reserve(164 * mb);
  using first = senders[0];
  for (let n = 0; n < 280; n += 1) {
    await first?.take(mb);
    usedBytes += mb;
  }
  // Not a byte more than the file has was reserved.
  await other.take(164 * mb);
});

describe('a store on a disk', () => {
  let folder: string;
  let store: BlobStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podstead-room-'));
    usedBytes = 444 * mb - 1_000;
    store = await openDiskBlobStore(folder, {
      room: { spareBytes, readFreeBytes: async () => 700 * mb - usedBytes },
    });
  });
  afterEach(async () => {
    await store[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const filesLeft = async () =>
    (await readdir(folder, { withFileTypes: true, recursive: true })).filter((one) => one.isFile());

  it('refuses what would use up the reserve, and keeps nothing of it', async () => {
    const type = 'audio/mpeg';
    const bytes = Buffer.alloc(1_001);
    await expect(store.put('audio/a', bytes, type)).rejects.toThrow(DiskReserveError);
    const stream = Readable.from([bytes]);
    await expect(store.put('audio/a', stream, type)).rejects.toThrow(DiskReserveError);
    expect(stream.destroyed).toBe(true);
    await expect(store.partial.requireRoom(1_001)).rejects.toThrow(DiskReserveError);
    expect(await filesLeft()).toEqual([]);
  });

  it('a store on a disk is still ready, and takes what is small enough', async () => {
    await store.check();
    await store.partial.requireRoom(1_000);
    await store.put('audio/a', Buffer.alloc(1_000), 'audio/mpeg');
    // A second name costs nothing.
    usedBytes += 1_000;
    await store.copy('audio/a', 'audio/b', 'audio/mpeg');
    // Nor does a file that is on the disk already.
    const path = join(store.scratchDir, 'audio');
    await writeFile(path, Buffer.alloc(5_000));
    await store.putFile('audio/c', path, 'audio/mpeg');
  });

  it('a store on a disk keeps what arrived of an upload before the reserve was reached', async () => {
    const progress = await store.partial.begin('uploads/a', 40 * mb);
    usedBytes = 444 * mb - 20 * mb;
    let received = 0;
    const body = (async function* () {
      for (let n = 0; n < 40; n += 1) {
        yield Buffer.alloc(mb);
        usedBytes += mb;
      }
    })();
    const append = store.partial.append({
      ...{ key: 'uploads/a', totalBytes: 40 * mb, progress, body },
      record: async ({ sizeBytes }) => {
        received = sizeBytes;
      },
    });
    await expect(append).rejects.toThrow(DiskReserveError);
    expect(received).toBe(16 * mb);
  });
});
