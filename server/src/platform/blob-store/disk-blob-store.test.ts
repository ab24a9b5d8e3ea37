import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { describeBlobStore, gather } from '../../../test/contracts/blob-store.ts';
import { makePipe } from '../../../test/make-pipe.ts';
import { BlobNotFoundError } from './blob-store.ts';
import { openDiskBlobStore } from './disk-blob-store.ts';

const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-blobs-'));
  folders.push(folder);
  return folder;
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

describeBlobStore('disk blob store', async (options) =>
  openDiskBlobStore(await newFolder(), options),
);

describe('openDiskBlobStore', () => {
  it('makes blobs readable for its group only', async () => {
    const folder = join(await newFolder(), 'blobs');
    const store = await openDiskBlobStore(folder);
    await store.put('a/put', Buffer.from('x'), 'audio/mpeg');
    const file = join(store.scratchDir, 'moved');
    await writeFile(file, 'x', { mode: 0o600 });
    await store.putFile('a/moved', file, 'audio/mpeg');
    const modeOf = async (path: string) => (await stat(join(folder, path))).mode & 0o777;
    expect(await modeOf('')).toBe(0o750);
    expect(await modeOf('.scratch')).toBe(0o700);
    expect(await modeOf('a/put')).toBe(0o640);
    expect(await modeOf('a/moved')).toBe(0o640);
  });

  it('removes temporary files of a crash after a day, not earlier', async () => {
    const folder = await newFolder();
    const scratch = join(folder, '.scratch');
    await mkdir(join(scratch, 'old'), { recursive: true });
    await mkdir(join(scratch, 'mixed'));
    const now = new Date('2026-03-02T12:00:00Z');
    const touch = async (name: string, hoursAgo: number) => {
      await writeFile(join(scratch, name), '');
      const time = new Date(now.getTime() - hoursAgo * 3_600_000);
      await utimes(join(scratch, name), time, time);
    };
    await touch('put-old', 25);
    await touch('put-young', 23);
    await touch('old/a', 30);
    await touch('mixed/old', 30);
    await touch('mixed/young', 1);
    const long = new Date(now.getTime() - 30 * 3_600_000);
    await utimes(join(scratch, 'old'), long, long);
    await utimes(join(scratch, 'mixed'), long, long);

    await openDiskBlobStore(folder, { clock: { now: () => now } });

    expect((await readdir(scratch)).sort()).toEqual(['mixed', 'put-young']);
    expect(await readdir(join(scratch, 'mixed'))).toEqual(['young']);
  });

  it('lists only its own files, without links, each with its time of creation', async () => {
    const folder = await newFolder();
    const store = await openDiskBlobStore(folder);
    const waited = join(store.scratchDir, 'waited');
    await writeFile(waited, 'x');
    await utimes(waited, new Date(0), new Date(0));
    const beforeMs = Date.now() - 1_000;
    await store.putFile('a/b.bin', waited, 'text/plain');
    await writeFile(join(folder, 'a/Of somebody else'), '');
    await writeFile(join(folder, 'a/.hidden'), '');
    await symlink(join(folder, 'a/b.bin'), join(folder, 'a/link.bin'));
    const [listed = []] = await gather(store.list('a'));
    expect(listed).toMatchObject([{ key: 'a/b.bin', sizeBytes: 1 }]);
    expect(listed[0]?.storedAt.getTime()).toBeGreaterThan(beforeMs);
  });

  it('counts and removes day-old temporary files also while it is open', async () => {
    const store = await openDiskBlobStore(await newFolder());
    await writeFile(join(store.scratchDir, 'put-old'), '12345');
    const tomorrow = new Date(Date.now() + 25 * 3_600_000);
    const leftovers = { files: 1, bytes: 5 };
    expect(await store.removeLeftovers(new Date())).toEqual({ files: 0, bytes: 0 });
    expect(await store.removeLeftovers(tomorrow, { dryRun: true })).toEqual(leftovers);
    expect(await store.removeLeftovers(tomorrow)).toEqual(leftovers);
    expect(await readdir(store.scratchDir)).toEqual([]);
  });

  it('adopts a file from another disk', async (context) => {
    const elsewhere = await mkdtemp('/dev/shm/podstead-blobs-').catch(() => undefined);
    if (elsewhere === undefined) return context.skip('no second file system at /dev/shm');
    folders.push(elsewhere);
    const store = await openDiskBlobStore(await newFolder());
    const path = join(elsewhere, 'in.mp3');
    await writeFile(path, 'from elsewhere');
    expect(await store.putFile('a/in.mp3', path, 'audio/mpeg')).toEqual({ sizeBytes: 14 });
    expect(await store.stat('a/in.mp3')).toEqual({ sizeBytes: 14 });
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(store.scratchDir)).toEqual([]);
  });

  it('treats a folder at a key’s path, or a file above it, as missing', async () => {
    const store = await openDiskBlobStore(await newFolder());
    await store.put('a/b', Buffer.from('x'), 'text/plain');
    for (const key of ['a', 'a/b/c']) {
      expect(await store.stat(key)).toBeUndefined();
      await expect(store.read(key)).rejects.toThrow(BlobNotFoundError);
      await store.delete(key);
    }
    expect(await store.stat('a/b')).toEqual({ sizeBytes: 1 });
  });

  it('treats a named pipe or a device at a key’s path as missing, without opening it', async () => {
    const folder = await newFolder();
    const store = await openDiskBlobStore(folder);
    await store.put('a/file', Buffer.from('x'), 'text/plain');
    makePipe(join(folder, 'a/pipe'));
    await symlink('/dev/zero', join(folder, 'a/device'));
    for (const key of ['a/pipe', 'a/device']) {
      expect(await store.stat(key)).toBeUndefined();
      await expect(store.read(key)).rejects.toThrow(BlobNotFoundError);
      await expect(store.read(key, { start: 0, end: 1 })).rejects.toThrow(BlobNotFoundError);
      await expect(async () => store.open?.(key)).rejects.toThrow(BlobNotFoundError);
      await expect(store.copy(key, 'a/copy', 'text/plain')).rejects.toThrow(BlobNotFoundError);
    }
    expect(await store.stat('a/copy')).toBeUndefined();
    await store.put('a/pipe', Buffer.from('xy'), 'text/plain');
    expect(await store.stat('a/pipe')).toEqual({ sizeBytes: 2 });
  });

  it('closes the file when its reader stops', async () => {
    const folder = await newFolder();
    const store = await openDiskBlobStore(folder);
    await store.put('a', Buffer.alloc(1_000_000), 'audio/mpeg');
    const body = await store.read('a');
    for await (const _first of body) break;
    await finished(body).catch(() => {});
    await expect(store.read('a', { start: 1_000_000, end: 1_000_001 })).rejects.toThrow(RangeError);
    expect(await openFilesUnder(folder)).toEqual([]);
  });

  it('shows nothing of a put that was killed', async () => {
    const folder = await newFolder();
    const script = `
      const { openDiskBlobStore } = await import(process.argv[1]);
      const store = await openDiskBlobStore(process.argv[2]);
      await store.put('a/killed.mp3', process.stdin, 'audio/mpeg');
    `;
    const module = new URL('./disk-blob-store.ts', import.meta.url).href;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, module, folder]);
    const scratch = join(folder, '.scratch');
    // Writing fails when the process is killed before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.write(Buffer.alloc(300_000));
    await vi.waitUntil(
      async () => {
        const names = await readdir(scratch).catch(() => []);
        return names[0] !== undefined && (await stat(join(scratch, names[0]))).size > 200_000;
      },
      { timeout: 20_000, interval: 10 },
    );
    child.kill('SIGKILL');
    await once(child, 'exit');

    const store = await openDiskBlobStore(folder);
    expect(await store.stat('a/killed.mp3')).toBeUndefined();
    await expect(store.read('a/killed.mp3')).rejects.toThrow(BlobNotFoundError);
    expect(await readdir(scratch)).toHaveLength(1);
  });

  it('fails its check if the scratch folder is missing', async () => {
    const store = await openDiskBlobStore(await newFolder());
    await rm(store.scratchDir, { recursive: true });
    await expect(store.check()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

async function openFilesUnder(folder: string): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(
    numbers.map((number) => readlink(join('/proc/self/fd', number)).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(folder));
}
