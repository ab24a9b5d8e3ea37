import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DebianPackage } from './debian-packages.ts';
import { checkLibraries, listLayers } from './image-layers.ts';
import { readElf } from './read-elf.ts';
import type { TarEntry } from './write-tar.ts';

const file = (path: string, content: string | Uint8Array = 'x'): TarEntry => ({
  ...{ path, type: 'file', mode: 0o644, read: () => Buffer.from(content) },
});
const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
const other = process.arch === 'arm64' ? 'amd64' : 'arm64';
const npmName = process.arch === 'arm64' ? 'arm64' : 'x64';

const debian: DebianPackage = {
  ...{ name: 'libc6', version: '2.36-9', architecture, digest: 'sha256:0' },
  control: 'Package: libc6\n',
  entries: [
    { path: 'lib', type: 'directory', mode: 0o755 },
    file('lib/x86_64-linux-gnu/libc.so.6'),
    file('lib/x86_64-linux-gnu/gconv/IBM037.so'),
    file('bin/dash'),
    { path: 'lib64/ld.so.2', type: 'symlink', target: '/lib/x86_64-linux-gnu/ld.so.2' },
    file('usr/share/doc/libc6/copyright'),
    file('usr/share/doc/libc6/changelog.gz'),
    file('usr/share/ca-certificates/mozilla/B.crt', 'second\n'),
    file('usr/share/ca-certificates/mozilla/A.crt', 'first\n'),
  ],
};

describe('the layers of the image', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'podstead-layers-'));
    const files = {
      'package.json': '{}',
      'bin/podstead': '#!/bin/sh',
      'server/src/start.js': '',
      'node_modules/.bin/tool': '',
      'node_modules/pg/index.js': '',
      'node_modules/pg/index.js.map': '',
      'node_modules/pg/index.d.ts': '',
      'node_modules/pg/LICENSE': '',
      'node_modules/@ip-location-db/asn/asn-ipv4-num.csv': '',
      'node_modules/.cache/podstead/networks-1': '',
      'node_modules/@expo-google-fonts/noto/LICENSE_FONT': '',
      'node_modules/@expo-google-fonts/noto/700Bold/Noto_700Bold.ttf': '',
      'node_modules/@expo-google-fonts/noto/700Bold/Noto_700Bold.ttf.png': '',
      'node_modules/@expo-google-fonts/noto/700Bold_Italic/Noto_700Bold_Italic.ttf': '',
      [`node_modules/node-linux-${npmName}/bin/node`]: '',
      [`node_modules/node-linux-${npmName}/LICENSE`]: '',
    };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const contentOf = (about: string) =>
    listLayers(architecture, [debian], folder).find((layer) => layer.about === about)?.entries ??
    [];
  const pathsOf = (about: string) => contentOf(about).map(({ path }) => path);

  it('the layer of Debian has libraries and the shell in the merged /usr, and no other programs', () => {
    const paths = pathsOf('Debian 12');
    expect(paths.filter((path) => /libc|dash|ld\.so|gconv/.test(path)).sort()).toEqual([
      'usr/bin/dash',
      'usr/lib/x86_64-linux-gnu/libc.so.6',
      'usr/lib64/ld.so.2',
      'usr/share/doc/libc6/copyright',
      'var/lib/dpkg/status.d/libc6',
    ]);
    expect(contentOf('Debian 12')).toContainEqual({
      path: 'lib',
      type: 'symlink',
      target: 'usr/lib',
    });
  });

  // RELEASE-5
  it('the layer of Debian has all certificates in one file, and a volume that anyone can write to', () => {
    const entries = contentOf('Debian 12');
    const bundle = entries.find(({ path }) => path === 'etc/ssl/certs/ca-certificates.crt');
    expect(bundle?.type === 'file' && String(bundle.read())).toBe('first\nsecond\n');
    const volume = { path: 'data', type: 'directory', mode: 0o777, uid: 10_001 };
    expect(entries).toContainEqual(volume);
  });

  it('the layer of npm packages has only what runs, licenses, fonts, and the index of networks', () => {
    const prefix = 'opt/podstead/node_modules';
    expect(pathsOf('npm packages').sort()).toEqual([
      `${prefix}/.cache/podstead/networks-1`,
      `${prefix}/@expo-google-fonts/noto/700Bold/Noto_700Bold.ttf`,
      `${prefix}/@expo-google-fonts/noto/LICENSE_FONT`,
      `${prefix}/pg/LICENSE`,
      `${prefix}/pg/index.js`,
    ]);
  });

  it('the layers of Node and of Podstead have the programs', () => {
    expect(pathsOf('Node')).toContain('usr/local/bin/node');
    expect(pathsOf('Podstead').sort()).toEqual([
      'opt/podstead/package.json',
      'opt/podstead/server/src/start.js',
      'usr/local/bin/podstead',
      'usr/local/lib/podstead/health.js',
      'usr/local/lib/podstead/package.json',
    ]);
  });
});

describe.runIf(process.platform === 'linux')('the libraries of programs', () => {
  const node = readFileSync(process.execPath);
  const elf = readElf(node);
  const libraries = [...(elf?.needed ?? []), elf?.interpreter ?? ''].map((name) =>
    file(`lib/${name.slice(name.lastIndexOf('/') + 1)}`),
  );
  const unique = [...new Map(libraries.map((entry) => [entry.path, entry])).values()];

  it('the libraries that Node needs are found in the file of its program', () => {
    expect(elf?.machine).toBe(architecture);
    expect(elf?.needed).toEqual(expect.arrayContaining(['libc.so.6', 'libstdc++.so.6']));
    expect(elf?.interpreter).toMatch(/\/ld-linux/);
    expect(readElf(Buffer.from('#!/bin/sh\n'))).toBeUndefined();
  });

  it('libraries that are missing are refused by name', () => {
    const program = file('bin/node', node);
    expect(() => checkLibraries(architecture, [program, ...unique])).not.toThrow();
    const without = unique.filter(({ path }) => path !== 'lib/libstdc++.so.6');
    expect(() => checkLibraries(architecture, [program, ...without])).toThrow(
      'bin/node needs libstdc++.so.6.',
    );
  });

  it('programs for another processor are refused', () => {
    expect(() => checkLibraries(other, [file('bin/node', node), ...unique])).toThrow(
      `bin/node is not for ${other}.`,
    );
  });
});
