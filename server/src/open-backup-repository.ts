import { join, resolve } from 'node:path';
import type { StoreConfig } from './config/config.ts';
import { BackupRefusedError, BackupRepository } from './domain/service/backups/index.ts';
import { tryParseBackupPlace } from './lib/backup-place.ts';
import { receiveInScratch } from './platform/blob-store/receive-file.ts';

interface OpenedPlace {
  /** A folder, or `s3://BUCKET/PREFIX`. */
  readonly target: string;
  /** The base of relative paths. */
  readonly cwd: string;
  /** Whether the folder may be created. */
  readonly mayBegin: boolean;
}

/** The same for each spelling of a place, and another for each other place. */
export function nameOfPlace(
  { s3 }: Pick<StoreConfig, 's3'>,
  { target, cwd }: Pick<OpenedPlace, 'target' | 'cwd'>,
): string {
  const place = tryParseBackupPlace(target);
  if (place?.kind === 'folder') return resolve(cwd, place.path);
  return s3.endpoint === undefined ? target : `${target} at ${s3.endpoint}`;
}

/** Opens a place for backups. Buckets use the access of the S3_ settings. Throws BackupRefusedError. */
export async function openBackupRepository(
  { s3, dataDir, diskReserveBytes: spareBytes }: StoreConfig,
  { target, cwd, mayBegin }: OpenedPlace,
): Promise<BackupRepository> {
  const room = { spareBytes };
  const place = tryParseBackupPlace(target);
  if (place === undefined)
    throw new BackupRefusedError(
      `The place “${target}” is neither a folder nor s3://BUCKET/PREFIX.`,
    );
  if (place.kind === 'folder') {
    const folder = resolve(cwd, place.path);
    // Of these, Podstead deletes what it does not know, or a restore would refuse them.
    const names = ['blobs', 'database', 'downloads', 'emails', 'letters', 'scratch'];
    const own = names.map((name) => join(dataDir, name));
    if (folder === dataDir || own.some((one) => `${folder}/`.startsWith(`${one}/`)))
      throw new BackupRefusedError(`The folder ${folder} is used by the installation itself.`);
    const { openFolderInChild } = await import('./platform/blob-store/folder-in-child.ts');
    const store = await openFolderInChild({ folder, mayBegin, spareBytes });
    if (store === undefined) throw new BackupRefusedError(`There is no folder ${folder}.`);
    return new BackupRepository(store);
  }
  if (s3.accessKeyId === '' || s3.secretAccessKey === '')
    throw new BackupRefusedError(
      `The place ${target} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, which may read and write that bucket.`,
    );
  const { openS3BlobStore } = await import('./platform/blob-store/s3-blob-store.ts');
  const { endpoint, ...access } = s3;
  const store = await openS3BlobStore({
    ...access,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...{ bucket: place.bucket, prefix: place.prefix, room },
    scratchDir: join(dataDir, 'scratch'),
  });
  return new BackupRepository(receiveInScratch(store));
}
