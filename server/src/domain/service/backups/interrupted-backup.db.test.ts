import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { TestApp } from '../../../../test/create-test-app.ts';
import { backUp, openFolder, openInstallation } from '../../../../test/use-backups.ts';
import { openDiskBlobStore } from '../../../platform/blob-store/disk-blob-store.ts';
import { receiveInScratch } from '../../../platform/blob-store/receive-file.ts';
import { filesAtOnce } from './create-backup.ts';
import { BackupRepository, verifyBackup } from './index.ts';

async function openStore() {
  const store = receiveInScratch(await openDiskBlobStore(await openFolder()));
  const repository = new BackupRepository(store);
  onTestFinished(() => repository[Symbol.asyncDispose]());
  return { store, repository };
}

async function storeFiles(app: TestApp): Promise<void> {
  for (let file = 0; file < 3 * filesAtOnce; file += 1)
    await app.ctx.blobs.put(`player/v1.${file}`, Buffer.from(`${file}`), 'text/javascript');
}

it('the first error of a backup ends all copies, and its mark stays until then', async () => {
  const { store, repository } = await openStore();
  const app = await openInstallation();
  await storeFiles(app);
  let [begun, copying, copyingAtEnd] = [0, 0, -1];
  store.receive = async (_open, _bytes, signal) => {
    begun += 1;
    if (begun === filesAtOnce) throw new Error('away');
    copying += 1;
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    await new Promise((resolve) => setTimeout(resolve, 20));
    copying -= 1;
    throw signal?.reason;
  };
  const remove = store.delete.bind(store);
  store.delete = async (key) => {
    copyingAtEnd = copying;
    await remove(key);
  };
  await expect(backUp(app, repository)).rejects.toThrow('away');
  expect(begun).toBe(filesAtOnce);
  expect(copyingAtEnd).toBe(0);
});

it('a backup writes no content again that an interrupted one has written', async () => {
  const { store, repository } = await openStore();
  const app = await openInstallation();
  await app.ctx.blobs.put('player/v1.large', Buffer.from('some'), 'text/javascript');
  await app.ctx.blobs.put('player/v1.other', Buffer.from('more'), 'text/javascript');
  const stopping = new AbortController();
  const onProgress = ({ stage }: { stage: string }) => {
    if (stage === 'files') stopping.abort(new Error('stopped'));
  };
  const options = { signal: stopping.signal, onProgress };
  // It ends after its last file, before its manifest.
  await expect(backUp(app, repository, options)).rejects.toThrow('stopped');
  expect(await repository.list()).toEqual([]);
  const receive = vi.spyOn(store, 'receive');
  await app.ctx.blobs.put('player/v1.third', Buffer.from('evil'), 'text/javascript');
  const { files } = await backUp(app, repository);
  expect(files).toBeGreaterThanOrEqual(3);
  expect(receive).toHaveBeenCalledTimes(1);
});

it('a verification that fails ends when it reads no more files', async () => {
  const { store, repository } = await openStore();
  const app = await openInstallation();
  await storeFiles(app);
  const { snapshot } = await backUp(app, repository);
  let [begun, reading, readingAtEnd] = [0, 0, -1];
  repository.readWhole = async () => {
    begun += 1;
    if (begun === 1) throw new Error('away');
    reading += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    reading -= 1;
    return Readable.from([]);
  };
  const remove = store.delete.bind(store);
  store.delete = async (key) => {
    readingAtEnd = reading;
    await remove(key);
  };
  await expect(verifyBackup(repository, snapshot)).rejects.toThrow('away');
  expect([begun, readingAtEnd]).toEqual([filesAtOnce, 0]);
});

it('a backup whose mark others may have missed ends before it copies more files', async () => {
  const { store, repository } = await openStore();
  const app = await openInstallation();
  await storeFiles(app);
  const now = Date.now;
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const original = store.receive;
  const receive = vi.spyOn(store, 'receive').mockImplementation(async (...values) => {
    clock.mockImplementation(() => now() + 2 * 60_000);
    return await original(...values);
  });
  await expect(backUp(app, repository)).rejects.toThrow('was stopped for so long');
  expect(receive).toHaveBeenCalledTimes(filesAtOnce);
});

// BACKUP-18
it('a backup whose mark others may have missed while its manifest was written does not stay', async () => {
  const { repository } = await openStore();
  const app = await openInstallation();
  const now = Date.now;
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const write = repository.writeManifest.bind(repository);
  repository.writeManifest = async (manifest) => {
    const written = await write(manifest);
    clock.mockImplementation(() => now() + 2 * 60_000);
    return written;
  };
  await expect(backUp(app, repository)).rejects.toThrow('was stopped for so long');
  clock.mockRestore();
  expect(await repository.list()).toEqual([]);
});

it('a mark that was left while a clock was ahead stops no backup', async () => {
  const { store, repository } = await openStore();
  const list = store.list.bind(store);
  let aheadMs = 60_000;
  store.list = async function* (under) {
    yield* list(under);
    const storedAt = new Date(Date.now() + aheadMs);
    yield [{ key: 'work/create-other', sizeBytes: 6, storedAt }];
  };
  await expect(repository.begin('create', { alone: true })).rejects.toThrow('Another process');
  aheadMs = 3_600_000;
  await using _work = await repository.begin('create', { alone: true });
});

// BACKUP-17
it.each(['write', 'removal'])(
  'work ends a minute after a %s of its mark has hung',
  async (what) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { store, repository } = await openStore();
    const work = await repository.begin('create');
    const hang = async (signal: AbortSignal | undefined): Promise<never> =>
      await new Promise((_resolve, reject) => {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const hung: { mark: unknown; delete: unknown } = store;
    hung.mark = async (_key: string, signal: AbortSignal) => {
      if (what === 'write') await hang(signal);
    };
    hung.delete = (_key: string, signal: AbortSignal) => hang(signal);
    await vi.advanceTimersByTimeAsync(40_000);
    const ended = vi.fn();
    work[Symbol.asyncDispose]().then(ended);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toHaveBeenCalled();
  },
);
