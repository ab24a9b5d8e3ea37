import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkSize } from './build-images.ts';
import { readDebianPackage } from './debian-packages.ts';

const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0;

describe('the steps of a release', () => {
  it.each([[], ['v1.2.0'], ['1.2.0', '1.3.0'], ['1.2.0', '--fast']].map((argv) => [argv]))(
    'a release with the arguments %j is refused with the usage',
    (argv) => {
      const script = fileURLToPath(new URL('../release.ts', import.meta.url));
      const { status, stderr } = spawnSync(process.execPath, [script, ...argv], {
        encoding: 'utf8',
      });
      expect(stderr).toMatch(/^Usage: npm run release -- VERSION/);
      expect(status).toBe(2);
    },
  );

  // RELEASE-4
  it('an image that is larger than promised is refused', () => {
    const image = { architecture: 'amd64', compressedBytes: 100e6, unpackedBytes: 300e6 } as const;
    expect(() => checkSize(image)).not.toThrow();
    const refusal = /The image for amd64 is too large/;
    expect(() => checkSize({ ...image, compressedBytes: 100e6 + 1 })).toThrow(refusal);
    expect(() => checkSize({ ...image, unpackedBytes: 300e6 + 1 })).toThrow(refusal);
  });

  it.runIf(hasDpkg)('a Debian package is read with its files, links and description', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'podstead-deb-'));
    const root = join(folder, 'root');
    mkdirSync(join(root, 'DEBIAN'), { recursive: true });
    mkdirSync(join(root, 'lib'));
    const control = ['Package: libtest', 'Version: 1:2.0-3', 'Architecture: all', 'Maintainer: A'];
    writeFileSync(join(root, 'DEBIAN/control'), `${control.join('\n')}\nDescription: a test\n`);
    writeFileSync(join(root, 'lib/libtest.so.1'), 'library');
    const file = join(folder, 'libtest.deb');
    execFileSync('dpkg-deb', ['--build', '--root-owner-group', root, file]);
    const { entries, digest, ...described } = await readDebianPackage(file);
    rmSync(folder, { recursive: true });
    expect(described).toMatchObject({
      ...{ name: 'libtest', version: '1:2.0-3', architecture: 'all' },
      control: expect.stringContaining('Description: a test'),
    });
    expect(digest).toMatch(/^sha256:[\da-f]{64}$/);
    expect(entries.map(({ path, type }) => `${type} ${path}`)).toEqual([
      'directory lib',
      'file lib/libtest.so.1',
    ]);
  });
});
