import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { StoreConfig } from './config/config.ts';
import { BackupRefusedError, BackupRepository } from './domain/service/backups/index.ts';
import { openDiskBlobStore } from './platform/blob-store/disk-blob-store.ts';

interface Place {
  /** A folder, or `s3://BUCKET/PREFIX`. */
  readonly target: string;
  /** The base of relative paths. */
  readonly cwd: string;
  /** Whether the folder may be created. */
  readonly mayBegin: boolean;
}

/** Opens a place for backups. Buckets use the access of the S3_ settings. Throws BackupRefusedError. */
export async function openBackupRepository(
  { s3, dataDir, diskReserveBytes: spareBytes }: StoreConfig,
  { target, cwd, mayBegin }: Place,
): Promise<BackupRepository> {
  const room = { spareBytes };
  if (target.trim() === '' || (/^[a-z][a-z0-9+.-]+:/i.test(target) && !target.startsWith('s3://')))
    throw new BackupRefusedError(
      `The place “${target}” is neither a folder nor s3://BUCKET/PREFIX.`,
    );
  if (!target.startsWith('s3://')) {
    const folder = resolve(cwd, target);
    // Of these, Podstead deletes what it does not know, or a restore would refuse them.
    for (const own of [dataDir, join(dataDir, 'database'), join(dataDir, 'blobs')])
      if (folder === own || (own !== dataDir && folder.startsWith(`${own}/`)))
        throw new BackupRefusedError(`The folder ${folder} is used by the installation itself.`);
    if (!mayBegin && !existsSync(folder))
      throw new BackupRefusedError(`There is no folder ${folder}.`);
    return new BackupRepository(await openDiskBlobStore(folder, { room }));
  }
  const [bucket = '', ...prefix] = target.slice('s3://'.length).split('/');
  if (bucket === '') throw new BackupRefusedError(`The place ${target} is not s3://BUCKET/PREFIX.`);
  if (s3.accessKeyId === '' || s3.secretAccessKey === '')
    throw new BackupRefusedError(
      `The place ${target} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, which may read and write that bucket.`,
    );
  const { openS3BlobStore } = await import('./platform/blob-store/s3-blob-store.ts');
  const { endpoint, ...access } = s3;
  const store = await openS3BlobStore({
    ...access,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...{ bucket, prefix: prefix.join('/'), room },
    scratchDir: join(dataDir, 'scratch'),
  });
  return new BackupRepository(store);
}
