import { randomUUID } from 'node:crypto';
import type { BlobStore } from '../src/platform/blob-store/blob-store.ts';
import {
  openS3BlobStore,
  type S3BlobStoreOptions,
} from '../src/platform/blob-store/s3-blob-store.ts';

/** Whether the tests have an S3 store: see .ci/start-s3. */
export const hasS3 = process.env['TEST_S3_ENDPOINT'] !== undefined;

/** The settings of the same store for another process; undefined if there is none. */
export const s3Settings = hasS3
  ? {
      S3_ENDPOINT: process.env['TEST_S3_ENDPOINT'] ?? '',
      S3_REGION: process.env['TEST_S3_REGION'] ?? 'us-east-1',
      S3_BUCKET: process.env['TEST_S3_BUCKET'] ?? '',
      S3_ACCESS_KEY_ID: process.env['TEST_S3_ACCESS_KEY_ID'] ?? '',
      S3_SECRET_ACCESS_KEY: process.env['TEST_S3_SECRET_ACCESS_KEY'] ?? '',
      S3_FORCE_PATH_STYLE: 'on',
      S3_PREFIX: `test-${randomUUID()}`,
    }
  : undefined;

/** A store in the tests' bucket, with its own prefix. */
export async function openTestS3Store(
  options: Pick<S3BlobStoreOptions, 'scratchDir'> & Partial<S3BlobStoreOptions>,
): Promise<BlobStore> {
  return await openS3BlobStore({
    endpoint: process.env['TEST_S3_ENDPOINT'] ?? '',
    region: process.env['TEST_S3_REGION'] ?? 'us-east-1',
    bucket: process.env['TEST_S3_BUCKET'] ?? '',
    accessKeyId: process.env['TEST_S3_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: process.env['TEST_S3_SECRET_ACCESS_KEY'] ?? '',
    forcePathStyle: true,
    prefix: `test-${randomUUID()}`,
    ...options,
  });
}
