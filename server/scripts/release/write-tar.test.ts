import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTar } from './debian-packages.ts';
import { digestOf, packTar, type TarEntry, writeTar } from './write-tar.ts';

const epoch = 1_700_000_000;
const longName = `deep/${'folder/'.repeat(30)}file.txt`;
const entries: readonly TarEntry[] = [
  { path: 'bin/run', type: 'file', mode: 0o755, read: () => Buffer.from('#!/bin/sh\n') },
  { path: 'bin/link', type: 'symlink', target: 'run' },
  { path: 'data', type: 'directory', mode: 0o777, uid: 10_001 },
  { path: longName, type: 'file', mode: 0o644, read: () => Buffer.from('é') },
];

describe('archives of a release', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'podstead-tar-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('archives have the same bytes whatever the order of their entries', async () => {
    const first = await buffer(packTar(entries, epoch));
    const second = await buffer(packTar(entries.toReversed(), epoch));
    expect(second.equals(first)).toBe(true);
    expect(await buffer(packTar(entries, epoch + 1))).not.toEqual(first);
  });

  it('archives have owners, modes, times and links that tar reads, and a folder for each path', async () => {
    const file = join(folder, 'listed.tar');
    await writeTar(file, entries, epoch, false);
    const argv = ['--list', '--verbose', '--numeric-owner', '--full-time', '--utc', '-f', file];
    const listed = String(execFileSync('tar', argv)).trim().split('\n');
    expect(listed.map((line) => line.replaceAll(/\s+/g, ' ')).slice(0, 5)).toEqual([
      'drwxr-xr-x 0/0 0 2023-11-14 22:13:20 bin/',
      'lrwxrwxrwx 0/0 0 2023-11-14 22:13:20 bin/link -> run',
      '-rwxr-xr-x 0/0 10 2023-11-14 22:13:20 bin/run',
      'drwxrwxrwx 10001/0 0 2023-11-14 22:13:20 data/',
      'drwxr-xr-x 0/0 0 2023-11-14 22:13:20 deep/',
    ]);
    expect(listed.at(-1)).toMatch(new RegExp(`${longName}$`));
    expect(listed).toHaveLength(4 + 2 + 30);
  });

  it('archives name no time of the machine in the header of gzip, and have the digests of their bytes', async () => {
    const file = join(folder, 'packed.tar.gz');
    const written = await writeTar(file, entries, epoch);
    const content = readFileSync(file);
    expect(content.readUInt32LE(4)).toBe(0);
    expect(written).toEqual({
      digest: digestOf(content),
      bytes: content.length,
      tarDigest: digestOf(gunzipSync(content)),
      tarBytes: gunzipSync(content).length,
    });
  });

  it('archives return the entries that were written', async () => {
    const read = await readTar(await buffer(packTar(entries, epoch)));
    const kept = read.find(({ path }) => path === longName);
    expect(kept).toMatchObject({ type: 'file', mode: 0o644 });
    expect(kept?.type === 'file' && String(kept.read())).toBe('é');
    expect(read).toContainEqual({ path: 'bin/link', type: 'symlink', target: 'run' });
  });

  it('archives refuse two entries with the same path', async () => {
    const twice: TarEntry = { path: 'data', type: 'symlink', target: 'bin' };
    await expect(buffer(packTar([...entries, twice], epoch))).rejects.toThrow(
      'data is in the archive twice.',
    );
  });
});
