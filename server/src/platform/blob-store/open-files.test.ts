import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { patience } from '../../../test/patience.ts';
import type { OpenBlob } from './blob-store.ts';
import { blockBytes, OpenFiles } from './open-files.ts';

const sizeBytes = 2 * blockBytes + 1_000;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-open-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function makeFile(name: string): Promise<{ path: string; bytes: Buffer }> {
  const bytes = randomBytes(sizeBytes);
  const path = join(folder, name);
  await writeFile(path, bytes);
  return { path, bytes };
}

/** Also returns the handle of every file that was opened. */
function create(options: { maxFiles?: number; maxBlockBytes?: number; idleMs?: number } = {}) {
  const handles: FileHandle[] = [];
  const files = new OpenFiles({
    ...options,
    open: async (path) => {
      const handle = await open(path, 'r');
      handles.push(handle);
      return handle;
    },
  });
  onTestFinished(() => files[Symbol.asyncDispose]());
  const opened = () => handles.length;
  /** A handle that is closed has no descriptor. */
  const stillOpen = () => handles.filter(({ fd }) => fd >= 0).length;
  return { files, handles, opened, stillOpen };
}

async function readAll(blob: OpenBlob): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const piece = await blob.read(at, 10_000_000);
    if (piece.length === 0) return Buffer.concat(pieces);
    pieces.push(piece);
    at += piece.length;
  }
}

async function readOnce(files: OpenFiles, path: string): Promise<Buffer> {
  using blob = await files.open(path);
  return await readAll(blob);
}

it('reads a file from any offset, and opens it once for concurrent readers', async () => {
  const { files, opened } = create();
  const { path, bytes } = await makeFile('any');
  const all = await Promise.all(Array.from({ length: 5 }, () => readOnce(files, path)));
  expect(all.every((read) => read.equals(bytes))).toBe(true);
  using blob = await files.open(path);
  expect(await blob.read(blockBytes - 10, 1_000)).toEqual(
    bytes.subarray(blockBytes - 10, blockBytes),
  );
  expect(await blob.read(blockBytes + 5, 7)).toEqual(
    bytes.subarray(blockBytes + 5, blockBytes + 12),
  );
  expect([blob.sizeBytes, opened()]).toEqual([sizeBytes, 1]);
});

it('serves cached blocks from memory, and reads evicted ones again', async () => {
  const { files, handles } = create({ maxBlockBytes: 2 * blockBytes });
  const { path, bytes } = await makeFile('again');
  using blob = await files.open(path);
  expect(blob.read(0, 10)).toBeInstanceOf(Promise);
  expect((await readAll(blob)).equals(bytes)).toBe(true);
  expect(blob.read(blockBytes, 10)).toEqual(bytes.subarray(blockBytes, blockBytes + 10));
  const read = vi.spyOn(handles[0] as FileHandle, 'read');
  expect(await blob.read(0, 10)).toEqual(bytes.subarray(0, 10));
  expect(read).toHaveBeenCalledTimes(1);
});

it('limits the number of open files, and keeps the last used ones', async () => {
  const { files, opened, stillOpen } = create({ maxFiles: 2 });
  const paths = await Promise.all(['a', 'b', 'c'].map(async (name) => (await makeFile(name)).path));
  const [a = '', b = '', c = ''] = paths;
  for (const path of [a, b, a, c]) await readOnce(files, path);
  await vi.waitFor(() => expect([files.size, stillOpen(), opened()]).toEqual([2, 2, 3]), patience);
  await readOnce(files, a);
  expect(opened()).toBe(3);
  using _a = await files.open(a);
  using _c = await files.open(c);
  {
    // All kept files are in use, so this one is closed after its reader.
    using _b = await files.open(b);
    expect(stillOpen()).toBe(3);
  }
  await vi.waitFor(() => expect([files.size, stillOpen()]).toEqual([2, 2]), patience);
});

it('closes files that have no reader, and no others', async () => {
  const { files, stillOpen } = create({ idleMs: 1 });
  const { path: idle } = await makeFile('idle');
  const { path: busy } = await makeFile('busy');
  const blob = await files.open(busy);
  await readOnce(files, idle);
  await vi.waitFor(() => expect(stillOpen()).toBe(1), patience);
  expect((await readAll(blob)).length).toBe(sizeBytes);
  blob[Symbol.dispose]();
  blob[Symbol.dispose]();
  await vi.waitFor(() => expect([files.size, stillOpen()]).toEqual([0, 0]), patience);
});

it('gives readers of a replaced file the old content, and new readers the new one', async () => {
  const { files, stillOpen } = create();
  const { path, bytes } = await makeFile('replaced');
  const blob = await files.open(path);
  expect(await blob.read(0, 10)).toEqual(bytes.subarray(0, 10));
  await rm(path);
  const { bytes: others } = await makeFile('replaced');
  files.evict(path);
  expect((await readOnce(files, path)).equals(others)).toBe(true);
  expect((await readAll(blob)).equals(bytes)).toBe(true);
  blob[Symbol.dispose]();
  await vi.waitFor(() => expect(stillOpen()).toBe(1), patience);
});

it('drops a file that has become shorter', async () => {
  const { files, opened } = create();
  const { path } = await makeFile('shorter');
  {
    using blob = await files.open(path);
    await truncate(path, blockBytes + 5);
    expect(await readAll(blob)).toHaveLength(blockBytes + 5);
  }
  using blob = await files.open(path);
  expect([blob.sizeBytes, opened()]).toEqual([blockBytes + 5, 2]);
});

it('closes files when the system allows no more', async () => {
  const outOfFiles = () => Promise.reject(Object.assign(new Error(), { code: 'EMFILE' }));
  let most = 1;
  const handles: FileHandle[] = [];
  const openFile = async (path: string) => {
    if (handles.filter(({ fd }) => fd >= 0).length >= most) return outOfFiles();
    const handle = await open(path, 'r');
    handles.push(handle);
    return handle;
  };
  await using files = new OpenFiles({ open: openFile });
  const { path: one } = await makeFile('one');
  const { path: other } = await makeFile('other');
  await readOnce(files, one);
  await vi.waitFor(
    async () => expect(await readOnce(files, other)).toHaveLength(sizeBytes),
    patience,
  );
  most = 0;
  using _other = await files.open(other);
  await expect(files.open(one)).rejects.toMatchObject({ code: 'EMFILE' });
  most = 2;
  expect(await readOnce(files, one)).toHaveLength(sizeBytes);
});

it('closes idle files at the end, and the others after their readers', async () => {
  const { files, stillOpen } = create();
  const { path } = await makeFile('end');
  const { path: busy } = await makeFile('end-busy');
  await readOnce(files, path);
  const blob = await files.open(busy);
  await vi.waitFor(async () => {
    await files[Symbol.asyncDispose]();
    expect(stillOpen()).toBe(1);
  }, patience);
  expect(await readAll(blob)).toHaveLength(sizeBytes);
  blob[Symbol.dispose]();
  await vi.waitFor(() => expect(stillOpen()).toBe(0), patience);
});

it('opens no folder and no missing file', async () => {
  const { files, stillOpen } = create();
  await expect(files.open(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(files.open(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect([files.size, stillOpen()]).toEqual([0, 0]);
});
