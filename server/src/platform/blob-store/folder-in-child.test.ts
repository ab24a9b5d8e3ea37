import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { gather } from '../../../test/contracts/blob-store.ts';
import { isRunning } from '../../../test/is-running.ts';
import { patience } from '../../../test/patience.ts';
import { ChildProcesses } from '../processes/child-processes.ts';
import type { BackupStore } from './backup-store.ts';
import { BlobNotFoundError } from './blob-store.ts';
import { openFolderInChild } from './folder-in-child.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

async function openNew(quietMs = 600_000) {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-folder-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const processes = opened.use(new ChildProcesses({ most: 3 }));
  const options = { folder, mayBegin: true, spareBytes: undefined, quietMs, processes };
  const store = await openFolderInChild(options);
  if (store === undefined) expect.unreachable();
  return { folder, processes, options, store };
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 70_000) yield bytes.subarray(at, at + 70_000);
}

const readAll = async (store: BackupStore, key: string) =>
  Buffer.concat(await (await store.read(key)).toArray());

describe('a folder in a child process', { timeout: patience.timeout }, () => {
  it.each([0, 1, 4 * 1024 * 1024, 9_000_000])(
    'it returns the %d bytes that it has received, and lists them',
    async (size) => {
      const { store, folder } = await openNew();
      const bytes = randomBytes(size);
      await using received = await store.receive(async () => inPieces(bytes), size, undefined);
      expect(received.bytes).toBe(size);
      await received.moveTo('files/ab/x', 'text/plain');
      await store.put('files/cd/y', bytes, 'text/plain');
      for (const key of ['files/ab/x', 'files/cd/y'])
        expect((await readAll(store, key)).equals(bytes)).toBe(true);
      const listed = (await gather(store.list('files'))).flat();
      expect(listed.map(({ key }) => key).sort()).toEqual(['files/ab/x', 'files/cd/y']);
      expect(listed[0]).toMatchObject({ sizeBytes: size, storedAt: expect.any(Date) });
      await store.delete('files/ab/x');
      await expect(store.read('files/ab/x')).rejects.toThrow(BlobNotFoundError);
      expect(await readdir(join(folder, '.scratch'))).toEqual([]);
    },
  );

  it('what is received and not moved is removed', async () => {
    const { store, folder } = await openNew();
    {
      await using _received = await store.receive(
        async () => inPieces(Buffer.from('x')),
        undefined,
        undefined,
      );
      expect(await readdir(join(folder, '.scratch'))).toHaveLength(1);
    }
    expect(await readdir(join(folder, '.scratch'))).toEqual([]);
  });

  it('errors are those of the source, or of the folder with their code', async () => {
    const { store, folder, options } = await openNew();
    const failing = store.receive(
      async () => {
        throw new BlobNotFoundError('audio/x');
      },
      undefined,
      undefined,
    );
    await expect(failing).rejects.toThrow(BlobNotFoundError);
    await writeFile(join(folder, 'files'), 'a file');
    await expect(store.put('files/a', Buffer.from('x'), '')).rejects.toMatchObject({
      code: expect.stringMatching(/ENOTDIR|EEXIST/),
    });
    const other = join(folder, 'other');
    expect(await openFolderInChild({ ...options, folder: other, mayBegin: false })).toBeUndefined();
    await expect(stat(other)).rejects.toThrow('ENOENT');
  });

  // BACKUP-17
  it('calls into a folder that stops answering fail, and this process reads its own files', async () => {
    const { store, processes } = await openNew(2_000);
    await store.put('files/a', Buffer.from('x'), '');
    const pids = processes.pids;
    expect(pids).toHaveLength(1);
    // As a mount that hangs stops them, for whoever waits.
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const hung = store.read('files/a');
    hung.catch(() => undefined);
    expect(await readFile(new URL(import.meta.url), 'utf8')).toContain('hangs');
    await expect(hung).rejects.toThrow(/The folder \/.+ has not answered for 1 minutes/);
    await vi.waitUntil(() => !pids.some(isRunning), patience);
    expect((await readAll(store, 'files/a')).toString()).toBe('x');
  });
});
