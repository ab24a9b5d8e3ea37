import { randomBytes, randomUUID } from 'node:crypto';
import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BlobKeyError,
  BlobNotFoundError,
  type BlobStore,
  type ListedBlob,
} from '../../src/platform/blob-store/blob-store.ts';
import { appendsAndCopies } from './partial-blobs.ts';

/** Its lists have batches of `listedAtOnce` blobs. */
type OpenStore = (options: { readonly listedAtOnce: number }) => Promise<BlobStore>;

const listedAtOnce = 10;

const hostileKeys = [
  '',
  '.',
  '..',
  '../escape',
  'a/../b',
  'a/./b',
  '/etc/passwd',
  'a//b',
  'a/',
  '.scratch/put-1',
  'a/.hidden',
  'a\\b',
  'a\0b',
  'A/b',
  'ä',
  'a b',
  'a%2e%2e',
  '-rf',
  `a${'b'.repeat(200)}`,
  'a/'.repeat(300).concat('a'),
];

/** The behavior of a blob store. Every driver runs these tests. */
export function describeBlobStore(name: string, open: OpenStore): void {
  describe(name, () => {
    let store: BlobStore;
    beforeAll(async () => {
      store = await open({ listedAtOnce });
    });
    afterAll(async () => {
      await store[Symbol.asyncDispose]();
    });
    const current = (): BlobStore => store;
    keepsWhatIsPut(current);
    readsSpans(current);
    putsAllOrNothing(current);
    lists(current);
    appendsAndCopies(current);
    refusesBadKeys(current);
  });
}

function keepsWhatIsPut(store: () => BlobStore): void {
  it('keeps a buffer', async () => {
    const key = newKey();
    expect(await store().put(key, Buffer.from('hello'), 'text/plain')).toEqual({ sizeBytes: 5 });
    expect(await readAll(store(), key)).toEqual(Buffer.from('hello'));
    expect(await store().stat(key)).toEqual({ sizeBytes: 5 });
  });

  it('keeps an empty blob, from a buffer and from a stream', async () => {
    for (const body of [Buffer.alloc(0), Readable.from([])]) {
      const key = newKey();
      expect(await store().put(key, body, 'text/plain')).toEqual({ sizeBytes: 0 });
      expect(await readAll(store(), key)).toEqual(Buffer.alloc(0));
      expect(await store().stat(key)).toEqual({ sizeBytes: 0 });
    }
  });

  it('keeps a stream of 20 MB', async () => {
    const key = newKey();
    const bytes = randomBytes(20_000_000);
    const body = Readable.from(chunksOf(bytes, 64 * 1024 + 1));
    expect(await store().put(key, body, 'audio/mpeg')).toEqual({ sizeBytes: bytes.length });
    expect((await readAll(store(), key)).equals(bytes)).toBe(true);
  });

  it('moves a local file into the store', async () => {
    const key = newKey();
    const path = join(store().scratchDir, randomUUID());
    await writeFile(path, 'from a file');
    expect(await store().putFile(key, path, 'text/plain')).toEqual({ sizeBytes: 11 });
    expect((await readAll(store(), key)).toString()).toBe('from a file');
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('reports a missing blob', async () => {
    const key = newKey();
    await expect(store().read(key)).rejects.toThrow(BlobNotFoundError);
    await expect(store().read(key, { start: 0, end: 1 })).rejects.toThrow(BlobNotFoundError);
    expect(await store().stat(key)).toBeUndefined();
    await store().delete(key);
  });

  it('deletes', async () => {
    const key = newKey();
    await store().put(key, Buffer.from('x'), 'text/plain');
    await store().delete(key);
    expect(await store().stat(key)).toBeUndefined();
    await expect(store().read(key)).rejects.toThrow(BlobNotFoundError);
  });

  it('passes its own check, which leaves nothing behind', async () => {
    const before = await readdir(store().scratchDir);
    await store().check();
    expect(await readdir(store().scratchDir)).toEqual(before);
  });
}

function readsSpans(store: () => BlobStore): void {
  it.each([
    { span: { start: 0, end: 0 }, expected: '0' },
    { span: { start: 2, end: 5 }, expected: '2345' },
    { span: { start: 9, end: 9 }, expected: '9' },
    { span: { start: 0, end: 9 }, expected: '0123456789' },
    { span: { start: 8, end: 5000 }, expected: '89' },
  ])('reads the span $span', async ({ span, expected }) => {
    const key = newKey();
    await store().put(key, Buffer.from('0123456789'), 'text/plain');
    expect((await readAll(store(), key, span)).toString()).toBe(expected);
  });

  it('refuses a span that begins at the end, beyond it, or after its own end', async () => {
    const key = newKey();
    await store().put(key, Buffer.from('0123456789'), 'text/plain');
    for (const span of [
      { start: 10, end: 12 },
      { start: 500, end: 900 },
      { start: 5, end: 4 },
    ]) {
      await expect(store().read(key, span)).rejects.toThrow(RangeError);
    }
    const empty = newKey();
    await store().put(empty, Buffer.alloc(0), 'text/plain');
    await expect(store().read(empty, { start: 0, end: 0 })).rejects.toThrow(RangeError);
  });

  it('works after a reader has stopped early', async () => {
    const key = newKey();
    await store().put(key, randomBytes(2_000_000), 'audio/mpeg');
    const body = await store().read(key);
    for await (const _first of body) break;
    await finished(body).catch(() => {});
    expect(body.destroyed).toBe(true);
    expect((await readAll(store(), key)).length).toBe(2_000_000);
  });
}

function putsAllOrNothing(store: () => BlobStore): void {
  // A remote store gets the small size in one request, and the large one in parts.
  it.each([100_000, 12_000_000])('has no blob before all of %d bytes are put', async (size) => {
    const key = newKey();
    const bytes = randomBytes(size);
    const body = new PassThrough();
    const putting = store().put(key, body, 'audio/mpeg');
    await writeTo(body, bytes.subarray(0, size - 10));
    expect(await store().stat(key)).toBeUndefined();
    await expect(store().read(key)).rejects.toThrow(BlobNotFoundError);
    body.end(bytes.subarray(size - 10));
    expect(await putting).toEqual({ sizeBytes: size });
    expect((await readAll(store(), key)).equals(bytes)).toBe(true);
  });

  it.each([100_000, 12_000_000])('keeps nothing if a put of %d bytes fails', async (size) => {
    const key = newKey();
    const before = await readdir(store().scratchDir);
    const body = new PassThrough();
    const putting = store().put(key, body, 'audio/mpeg');
    await writeTo(body, randomBytes(size));
    body.destroy(new Error('the sender went away'));
    await expect(putting).rejects.toThrow('the sender went away');
    expect(await store().stat(key)).toBeUndefined();
    expect(await readdir(store().scratchDir)).toEqual(before);
  });

  it('refuses a body that has failed or was destroyed before', async () => {
    const key = newKey();
    const broken = new PassThrough();
    broken.destroy(new Error('broken from the start'));
    await expect(store().put(key, broken, 'audio/mpeg')).rejects.toThrow('broken from the start');
    const gone = new PassThrough();
    gone.destroy();
    await expect(store().put(key, gone, 'audio/mpeg')).rejects.toThrow();
    expect(await store().stat(key)).toBeUndefined();
  });

  it('contains one whole body after several concurrent puts', async () => {
    const key = newKey();
    const bodies = Array.from({ length: 5 }, () => randomBytes(300_000));
    await Promise.all(
      bodies.map((bytes) => store().put(key, Readable.from(chunksOf(bytes, 50_000)), 'audio/mpeg')),
    );
    const read = await readAll(store(), key);
    expect(bodies.some((bytes) => bytes.equals(read))).toBe(true);
  });
}

function lists(store: () => BlobStore): void {
  it('lists all blobs of a folder and its subfolders, in batches', async () => {
    const folder = `contract/${randomUUID()}`;
    const keys = Array.from({ length: 23 }, (_, n) => `${folder}/${n % 3}/${n}.bin`);
    const begunMs = Date.now();
    for (const key of keys) await store().put(key, Buffer.from('four'), 'text/plain');
    await store().put(`${folder}-beside/1.bin`, Buffer.from('x'), 'text/plain');
    const batches = await gather(store().list(folder));
    expect(batches.map(({ length }) => length)).toEqual([10, 10, 3]);
    const listed = batches.flat();
    expect(listed.map(({ key }) => key).sort()).toEqual([...keys].sort());
    expect(new Set(listed.map(({ sizeBytes }) => sizeBytes))).toEqual(new Set([4]));
    // The store may be on another machine, whose clock may have whole seconds only.
    const aMinute = 60_000;
    for (const { storedAt } of listed) {
      expect(storedAt.getTime()).toBeGreaterThan(begunMs - aMinute);
      expect(storedAt.getTime()).toBeLessThan(Date.now() + aMinute);
    }
  });

  it('lists nothing for a missing folder', async () => {
    expect(await gather(store().list(`contract/${randomUUID()}`))).toEqual([]);
  });

  it('continues a list while listed blobs are deleted', async () => {
    const folder = `contract/${randomUUID()}`;
    const keys = Array.from({ length: 21 }, (_, n) => `${folder}/${n}.bin`);
    for (const key of keys) await store().put(key, Buffer.from('x'), 'text/plain');
    let seen = 0;
    for await (const batch of store().list(folder)) {
      seen += batch.length;
      for (const { key } of batch) await store().delete(key);
    }
    expect(seen).toBe(keys.length);
    expect(await gather(store().list(folder))).toEqual([]);
  });
}

function refusesBadKeys(store: () => BlobStore): void {
  it.each(hostileKeys)('refuses the key %.40j', async (key) => {
    const body = Readable.from([Buffer.from('x')]);
    await expect(store().put(key, body, 'text/plain')).rejects.toThrow(BlobKeyError);
    expect(body.destroyed).toBe(true);
    await expect(store().put(key, Buffer.from('x'), 'text/plain')).rejects.toThrow(BlobKeyError);
    await expect(store().putFile(key, '/nowhere', 'text/plain')).rejects.toThrow(BlobKeyError);
    await expect(store().read(key)).rejects.toThrow(BlobKeyError);
    await expect(store().stat(key)).rejects.toThrow(BlobKeyError);
    await expect(store().delete(key)).rejects.toThrow(BlobKeyError);
    await expect(gather(store().list(key))).rejects.toThrow(BlobKeyError);
  });
}

/** The batches of a list. */
export async function gather(list: AsyncGenerator<ListedBlob[]>): Promise<ListedBlob[][]> {
  const batches: ListedBlob[][] = [];
  for await (const batch of list) batches.push(batch);
  return batches;
}

function newKey(): string {
  return `contract/${randomUUID()}/a.b_c-1.mp3`;
}

async function readAll(store: BlobStore, key: string, span?: { start: number; end: number }) {
  return Buffer.concat(await (await store.read(key, span)).toArray());
}

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Returns when the store has taken all of it. */
async function writeTo(body: PassThrough, bytes: Buffer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  body.write(bytes, () => resolve());
  await promise;
}
