import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Architecture } from './debian-packages.ts';
import { type BuiltImage, writeImage, writeOciArchive } from './oci-archive.ts';
import { unpackImage } from './run-image.ts';
import type { TarEntry } from './write-tar.ts';

const release = { version: '1.2.0-rc.1+b7', revision: 'abc', epochSeconds: 1_700_000_000 };
const program = (content: string): TarEntry => ({
  ...{ path: 'bin/program', type: 'file', mode: 0o755, read: () => Buffer.from(content) },
});
const layersFor = (architecture: Architecture) => [
  { about: 'base', entries: [program('old'), link('etc/name', 'other')], isOfRelease: false },
  { about: 'program', entries: [program(architecture)], isOfRelease: true },
];
const link = (path: string, target: string): TarEntry => ({ path, type: 'symlink', target });

describe('the image archive', () => {
  let folder: string;
  const built: BuiltImage[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'podstead-oci-'));
    for (const name of ['first', 'second']) {
      const images: BuiltImage[] = [];
      for (const architecture of ['amd64', 'arm64'] as const) {
        const layout = join(folder, name);
        images.push(await writeImage(layout, architecture, layersFor(architecture), release));
      }
      await writeOciArchive(join(folder, `${name}.tar`), join(folder, name), images, release);
      built.push(...images);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const unpack = (architecture: Architecture, archive = 'first.tar') => {
    const image = unpackImage(join(folder, archive), architecture);
    const content = readFileSync(join(image.folder, 'rootfs/bin/program'), 'utf8');
    const files = readdirSync(join(image.folder, 'rootfs'));
    rmSync(image.folder, { recursive: true });
    return { config: image.config, content, files };
  };

  // RELEASE-2
  it('the image archive has the same bytes when it is built again', () => {
    const [first, second] = ['first.tar', 'second.tar'].map((name) =>
      readFileSync(join(folder, name)),
    );
    expect(second?.equals(first ?? Buffer.alloc(0))).toBe(true);
    expect(built.slice(2)).toEqual(built.slice(0, 2));
  });

  it.each(['amd64', 'arm64'] as const)(
    'the image archive has an image for %s, whose layers cover each other',
    (architecture) => {
      const { content, files } = unpack(architecture);
      expect(content).toBe(architecture);
      expect(files).toEqual(['bin', 'etc']);
    },
  );

  // RELEASE-5
  it('the image archive says how to start, stop and check the image', () => {
    expect(unpack('amd64').config).toMatchObject({
      User: '10001',
      Entrypoint: ['podstead'],
      Cmd: ['serve'],
      Volumes: { '/data': {} },
      StopSignal: 'SIGTERM',
      Healthcheck: {
        Test: ['CMD', '/usr/local/bin/node', '/usr/local/lib/podstead/health.js'],
      },
      Labels: {
        'org.opencontainers.image.version': '1.2.0-rc.1+b7',
        'org.opencontainers.image.created': '2023-11-14T22:13:20Z',
      },
    });
    expect(unpack('amd64').config.Env).toEqual(
      expect.arrayContaining(['NODE_ENV=production', 'DATA_DIR=/data', 'HOST=0.0.0.0']),
    );
  });

  it('the image archive names the image with a tag that registries accept', () => {
    const { manifests } = JSON.parse(readFileSync(join(folder, 'first/index.json'), 'utf8'));
    expect(manifests).toHaveLength(1);
    expect(manifests[0].annotations['org.opencontainers.image.ref.name']).toBe('1.2.0-rc.1_b7');
    const index = JSON.parse(
      readFileSync(join(folder, 'first/blobs', manifests[0].digest.replace(':', '/')), 'utf8'),
    );
    const platforms = index.manifests.map((entry: { platform: unknown }) => entry.platform);
    expect(platforms).toEqual([
      { architecture: 'amd64', os: 'linux' },
      { architecture: 'arm64', os: 'linux', variant: 'v8' },
    ]);
  });

  it('the image archive of the next release has the same layers but for that of the release', async () => {
    const layersOf = async (epochSeconds: number) => {
      const layout = join(folder, `at-${epochSeconds}`);
      const next = { ...release, epochSeconds };
      const { descriptor } = await writeImage(layout, 'amd64', layersFor('amd64'), next);
      const manifest = join(layout, 'blobs', descriptor.digest.replace(':', '/'));
      const { layers } = JSON.parse(readFileSync(manifest, 'utf8'));
      return layers.map(({ digest }: { digest: string }) => digest);
    };
    const [before, after] = [await layersOf(1_700_000_000), await layersOf(1_800_000_000)];
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('the image archive has the sizes that are reported', () => {
    const [amd64] = built;
    const sizes = amd64?.layers.map(({ bytes }) => bytes) ?? [];
    expect(amd64?.compressedBytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(amd64?.unpackedBytes).toBeGreaterThan(amd64?.compressedBytes ?? Infinity);
    const blobs = readdirSync(join(folder, 'first/blobs/sha256'));
    const stored = blobs.map((name) => statSync(join(folder, 'first/blobs/sha256', name)).size);
    expect(stored).toEqual(expect.arrayContaining(sizes));
  });

  it('the image archive is refused if a part of it is damaged', async () => {
    const layout = join(folder, 'damaged');
    const image = await writeImage(layout, 'amd64', layersFor('amd64'), release);
    const blob = join(layout, 'blobs', image.descriptor.digest.replace(':', '/'));
    appendFileSync(blob, ' ');
    await writeOciArchive(join(folder, 'damaged.tar'), layout, [image], release);
    expect(() => unpack('amd64', 'damaged.tar')).toThrow(/The blob sha256:\w+ is damaged/);
    expect(() => unpack('arm64', 'damaged.tar')).toThrow('has no image for arm64');
  });
});
