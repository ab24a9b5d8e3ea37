import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './debian-packages.ts';
import { healthCommand, imageUser, type Layer } from './image-layers.ts';
import { readFolder } from './read-folder.ts';
import { digestOf, type WrittenTar, writeTar } from './write-tar.ts';

export interface Release {
  readonly version: string;
  /** The commit that it is built from. */
  readonly revision: string;
  /** Its time, in seconds since 1970: the time of everything in the release. */
  readonly epochSeconds: number;
}

/** The image for one architecture; sizes in bytes. */
export interface BuiltImage {
  readonly architecture: Architecture;
  readonly compressedBytes: number;
  readonly unpackedBytes: number;
  readonly layers: readonly { readonly about: string; readonly bytes: number }[];
  readonly descriptor: Descriptor;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const prefix = 'application/vnd.oci.image';
const mediaTypes = {
  config: `${prefix}.config.v1+json`,
  index: `${prefix}.index.v1+json`,
  layer: `${prefix}.layer.v1.tar+gzip`,
  manifest: `${prefix}.manifest.v1+json`,
};
/** The time of files in layers that releases share: with another time, they would be other layers. */
const lastingSeconds = Date.UTC(2026, 0, 1) / 1_000;
/** Docker's units are nanoseconds. */
const second = 1_000_000_000;

/**
 * Writes the image for one architecture into the folder of an OCI layout: its layers, its
 * configuration and its manifest.
 */
export async function writeImage(
  folder: string,
  architecture: Architecture,
  layers: readonly Layer[],
  release: Release,
): Promise<BuiltImage> {
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  const written: WrittenTar[] = [];
  for (const layer of layers) {
    const epochSeconds = layer.isOfRelease ? release.epochSeconds : lastingSeconds;
    written.push(await writeLayer(folder, layer.entries, epochSeconds));
  }
  const config = writeBlob(folder, mediaTypes.config, {
    ...describeImage(architecture, release),
    rootfs: { type: 'layers', diff_ids: written.map(({ tarDigest }) => tarDigest) },
    history: layers.map(({ about }) => ({ created: timeOf(release), comment: about })),
  });
  const manifest = writeBlob(folder, mediaTypes.manifest, {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config,
    layers: written.map(({ digest, bytes }) => ({
      ...{ mediaType: mediaTypes.layer, digest, size: bytes },
    })),
    annotations: describeRelease(release),
  });
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  return {
    architecture,
    compressedBytes: sum(written.map(({ bytes }) => bytes)),
    unpackedBytes: sum(written.map(({ tarBytes }) => tarBytes)),
    layers: layers.map(({ about }, index) => ({ about, bytes: written[index]?.bytes ?? 0 })),
    descriptor: manifest,
  };
}

/** Completes the layout with an index of the images, and writes it as an archive. */
export async function writeOciArchive(
  file: string,
  folder: string,
  images: readonly BuiltImage[],
  release: Release,
): Promise<void> {
  const index = writeBlob(folder, mediaTypes.index, {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: images.map(({ descriptor, architecture }) => ({
      ...descriptor,
      platform: { architecture, os: 'linux', ...(architecture === 'arm64' && { variant: 'v8' }) },
    })),
    annotations: describeRelease(release),
  });
  const names = {
    'io.containerd.image.name': `docker.io/library/podstead:${tagOf(release)}`,
    'org.opencontainers.image.ref.name': tagOf(release),
  };
  writeJsonFile(join(folder, 'index.json'), {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [{ ...index, annotations: names }],
  });
  writeJsonFile(join(folder, 'oci-layout'), { imageLayoutVersion: '1.0.0' });
  await writeTar(file, readFolder(folder, ''), release.epochSeconds, false);
}

/** Tags have no `+`, which begins the build metadata of a version. */
function tagOf({ version }: Release): string {
  return version.replaceAll('+', '_');
}

async function writeLayer(
  folder: string,
  entries: Layer['entries'],
  epochSeconds: number,
): Promise<WrittenTar> {
  const file = join(folder, 'blobs/sha256/layer');
  const written = await writeTar(file, entries, epochSeconds);
  renameSync(file, blobPath(folder, written.digest));
  return written;
}

function describeImage(architecture: Architecture, release: Release): object {
  return {
    created: timeOf(release),
    architecture,
    ...(architecture === 'arm64' && { variant: 'v8' }),
    os: 'linux',
    config: {
      User: String(imageUser),
      ExposedPorts: { '3000/tcp': {} },
      Env: [
        'PATH=/usr/local/bin:/usr/bin:/bin',
        'NODE_ENV=production',
        'DATA_DIR=/data',
        'HOST=0.0.0.0',
      ],
      Entrypoint: ['podstead'],
      Cmd: ['serve'],
      Volumes: { '/data': {} },
      WorkingDir: '/data',
      StopSignal: 'SIGTERM',
      Labels: describeRelease(release),
      // Docker's extension of the OCI format.
      Healthcheck: {
        Test: ['CMD', ...healthCommand],
        Interval: 30 * second,
        Timeout: 10 * second,
        StartPeriod: 60 * second,
        Retries: 3,
      },
    },
  };
}

function describeRelease(release: Release): Readonly<Record<string, string>> {
  const name = 'org.opencontainers.image';
  return {
    [`${name}.title`]: 'Podstead',
    [`${name}.description`]: 'Self-hosted podcast hosting',
    [`${name}.version`]: release.version,
    [`${name}.revision`]: release.revision,
    [`${name}.created`]: timeOf(release),
    [`${name}.licenses`]: 'Apache-2.0',
  };
}

function timeOf({ epochSeconds }: Release): string {
  return new Date(epochSeconds * 1_000).toISOString().replace('.000', '');
}

function writeBlob(folder: string, mediaType: string, value: object): Descriptor {
  const digest = digestOf(JSON.stringify(value));
  writeJsonFile(blobPath(folder, digest), value);
  return { mediaType, digest, size: statSync(blobPath(folder, digest)).size };
}

function writeJsonFile(file: string, value: object): void {
  writeFileSync(file, JSON.stringify(value));
}

function blobPath(folder: string, digest: string): string {
  return join(folder, 'blobs', digest.replace(':', '/'));
}
