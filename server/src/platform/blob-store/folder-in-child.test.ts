import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gather } from '../../../test/contracts/blob-store.ts';
import { isRunning } from '../../../test/is-running.ts';
import { patience } from '../../../test/patience.ts';
import { ChildProcesses } from '../processes/child-processes.ts';
import type { Job } from '../processes/job.ts';
import type { BackupStore } from './backup-store.ts';
import { BlobNotFoundError } from './blob-store.ts';
import { openDiskBlobStore } from './disk-blob-store.ts';
import { openFolderInChild } from './folder-in-child.ts';
import { receiveInScratch } from './receive-file.ts';

async function openNew(quietMs = 600_000) {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-folder-'));
  const processes = new ChildProcesses({ most: 3 });
  onTestFinished(async () => {
    await processes[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
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

  // BACKUP-23
  it('marks of work may be written into the reserve of the disk, and nothing else', async () => {
    const { options } = await openNew();
    const full = await openFolderInChild({
      ...options,
      spareBytes: 2 ** 52,
      folder: `${options.folder}/full`,
    });
    if (full === undefined) expect.unreachable();
    const put = full.put('files/ab/x', Buffer.from('x'), 'text/plain');
    await expect(put).rejects.toMatchObject({ code: 'ENOSPC' });
    await full.mark('work/prune-x');
    await full.mark('work/prune-x');
    const listed = (await gather(full.list('work'))).flat();
    expect(listed.map(({ key }) => key)).toEqual(['work/prune-x']);
  });

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

describe('a folder whose calls are interrupted', { timeout: patience.timeout }, () => {
  const size = 300_000;

  // BACKUP-19
  it.each(['an error of the source', 'an abort'])('%s leaves no file', async (how) => {
    const { store, folder } = await openNew();
    const scratch = join(folder, '.scratch');
    const aborting = new AbortController();
    const ends = async function* () {
      yield randomBytes(size);
      // The child has begun to write.
      await vi.waitUntil(async () => (await readdir(scratch)).length > 0, patience);
      if (how === 'an abort') aborting.abort(new Error('interrupted'));
      else throw new Error('interrupted');
      await new Promise(() => undefined);
    };
    const receiving = store.receive(async () => ends(), undefined, aborting.signal);
    await expect(receiving).rejects.toThrow('interrupted');
    expect(await readdir(scratch)).toEqual([]);
  });

  /** Its calls wait until they are abandoned. */
  const openStuck = async () => {
    const jobs: Job[] = [];
    let isStuck = false;
    const run: ChildProcesses['run'] = async (job, onPart) => {
      if (!isStuck) return void onPart(true);
      jobs.push(job);
      const { signal: given = [], abandoned = [] } = job;
      const signal = AbortSignal.any([given, abandoned].flat());
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const processes = { run } as ChildProcesses;
    const options = { folder: '/nowhere', mayBegin: true, spareBytes: undefined };
    const store = await openFolderInChild({ ...options, processes });
    if (store === undefined) expect.unreachable();
    isStuck = true;
    return { store, jobs };
  };

  // BACKUP-17
  it('a call waits for others that make progress, and fails 15 minutes after their last', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { store, jobs } = await openStuck();
    const ended = vi.fn();
    store.put('work/x', Buffer.from('x'), '').catch(ended);
    store.delete('files/x').catch(ended);
    for (let minutes = 0; minutes < 120; minutes += 10) {
      await vi.advanceTimersByTimeAsync(10 * 60_000);
      jobs[0]?.onSign?.();
    }
    await vi.advanceTimersByTimeAsync(14 * 60_000);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).toHaveBeenCalledTimes(2);
    expect(ended.mock.calls[0]?.[0].message).toContain('has not answered for 15 minutes');
  });

  // BACKUP-20
  it.runIf(existsSync('/sys'))('a folder that cannot be written opens to be read', async () => {
    const { options } = await openNew();
    // Nobody may make anything there.
    const place = { ...options, folder: '/sys' };
    await expect(openFolderInChild(place)).rejects.toThrow(/read-only|permission denied/);
    const store = await openFolderInChild({ ...place, mayBegin: false });
    await expect(store?.read('files/x')).rejects.toThrow(BlobNotFoundError);
    await expect(store?.put('work/x', Buffer.from('x'), '')).rejects.toThrow();
  });
});

it('a long file is written to the disk in steps, as it is received', async () => {
  const { folder } = await openNew();
  const store = receiveInScratch(await openDiskBlobStore(folder));
  await using probe = await open(fileURLToPath(import.meta.url));
  const datasync = vi.spyOn(Object.getPrototypeOf(probe), 'datasync');
  onTestFinished(() => datasync.mockRestore());
  const chunk = Buffer.alloc(1024 * 1024);
  const long = Readable.from(Array.from({ length: 150 }, () => chunk));
  await using received = await store.receive(async () => long, undefined, undefined);
  expect(received.bytes).toBe(150 * chunk.length);
  expect(datasync).toHaveBeenCalledTimes(2);
});
