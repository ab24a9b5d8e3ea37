import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  type NetworksThreadData,
  networksCachePath,
} from '../../src/platform/geo/load-network-table.ts';
import { type Architecture, type DebianPackage, fetchDebianPackages } from './debian-packages.ts';
import { listLayers } from './image-layers.ts';
import { type BuiltImage, type Release, writeImage, writeOciArchive } from './oci-archive.ts';

export interface BuiltImages {
  readonly images: readonly BuiltImage[];
  readonly debian: ReadonlyMap<Architecture, readonly DebianPackage[]>;
}

const architectures: readonly Architecture[] = ['amd64', 'arm64'];
const npmNames: Readonly<Record<Architecture, string>> = { amd64: 'x64', arm64: 'arm64' };
/** An image may have these many bytes. */
const most = { compressed: 100_000_000, unpacked: 300_000_000 };

/**
 * Writes the images for all architectures as one archive. `package` is a folder with the published
 * package; `work` an empty one for temporary files. Throws if an image is too large.
 */
export async function buildImages(
  file: string,
  folders: { readonly package: string; readonly work: string },
  release: Release,
): Promise<BuiltImages> {
  const debian = new Map<Architecture, readonly DebianPackage[]>();
  const images: BuiltImage[] = [];
  const layout = join(folders.work, 'layout');
  for (const architecture of architectures) {
    const work = join(folders.work, architecture);
    const packages = await fetchDebianPackages(architecture, join(work, 'debian'));
    debian.set(architecture, packages);
    const installed = join(work, 'installed');
    cpSync(folders.package, installed, { recursive: true });
    await installPackages(installed, architecture);
    const layers = listLayers(architecture, packages, installed);
    const image = await writeImage(layout, architecture, layers, release);
    checkSize(image);
    images.push(image);
  }
  await writeOciArchive(file, layout, images, release);
  return { images, debian };
}

/** Installs what the lock file of the package says, for a processor that may be another one. */
async function installPackages(folder: string, architecture: Architecture): Promise<void> {
  const target = ['--os=linux', `--cpu=${npmNames[architecture]}`, '--libc=glibc'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const argv = ['ci', '--omit=dev', '--ignore-scripts', ...target, ...quiet];
  execFileSync('npm', argv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  await cacheNetworks(join(folder, 'node_modules'));
}

/** The image can't keep a cache, so it has the result, and lacks the 60 MB that it is made of. */
async function cacheNetworks(packages: string): Promise<void> {
  const folder = join(packages, '@ip-location-db/asn');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const cacheFile = networksCachePath(version, join(packages, '.cache/podstead'));
  const thread = new Worker(new URL('../../src/platform/geo/networks-thread.ts', import.meta.url), {
    workerData: {
      ipv4: join(folder, 'asn-ipv4-num.csv'),
      ipv6: join(folder, 'asn-ipv6-num.csv'),
      cacheFile,
    } satisfies NetworksThreadData,
  });
  await once(thread, 'exit');
  readFileSync(cacheFile);
}

/** Throws if the image is larger than users are promised. */
export function checkSize(
  image: Pick<BuiltImage, 'architecture' | 'compressedBytes' | 'unpackedBytes'>,
): void {
  const { architecture, compressedBytes, unpackedBytes } = image;
  if (compressedBytes <= most.compressed && unpackedBytes <= most.unpacked) return;
  throw new Error(
    `The image for ${architecture} is too large: ${compressedBytes} bytes, ${unpackedBytes} unpacked.`,
  );
}
