import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeBlobStore } from '../../../test/contracts/blob-store.ts';
import { BlobKeyError, BlobStoreAwayError } from './blob-store.ts';
import { openS3BlobStore, type S3BlobStoreOptions } from './s3-blob-store.ts';

const {
  TEST_S3_ENDPOINT: endpoint,
  TEST_S3_REGION: region = 'us-east-1',
  TEST_S3_BUCKET: bucket = 'none',
  TEST_S3_ACCESS_KEY_ID: accessKeyId = 'none',
  TEST_S3_SECRET_ACCESS_KEY: secretAccessKey = 'none',
} = process.env;
const prefix = `test-${randomUUID()}`;
let scratchDir: string;

beforeAll(async () => {
  scratchDir = await mkdtemp(join(tmpdir(), 'podstead-s3-'));
});
afterAll(async () => {
  await rm(scratchDir, { recursive: true });
});

function options(): S3BlobStoreOptions {
  return {
    endpoint: endpoint ?? 'http://127.0.0.1:9',
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    forcePathStyle: true,
    prefix: `/${prefix}/`,
    scratchDir,
  };
}

if (endpoint === undefined) {
  console.warn('SKIPPED: the S3 blob store is not tested, TEST_S3_ENDPOINT is not set.');
  describe.skip('S3 blob store: SKIPPED, TEST_S3_ENDPOINT is not set (see .ci/start-s3)', () => {
    it('the S3 blob store is not tested here', () => {});
  });
} else {
  describeBlobStore('S3 blob store', (more) => openS3BlobStore({ ...options(), ...more }));
  describe('openS3BlobStore', onRealStore);
}

describe('openS3BlobStore without a store', () => {
  it('opens, and fails its check', async () => {
    await using store = await openS3BlobStore({ ...options(), endpoint: 'http://127.0.0.1:9' });
    await expect(store.check()).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('reports that it is unavailable, and still refuses invalid keys', async () => {
    await using store = await openS3BlobStore({ ...options(), endpoint: 'http://127.0.0.1:9' });
    await expect(store.read('a')).rejects.toThrow(BlobStoreAwayError);
    await expect(store.stat('a')).rejects.toThrow(BlobStoreAwayError);
    await expect(store.read('../a')).rejects.toThrow(BlobKeyError);
  });
});

function onRealStore(): void {
  it('fails its check if the bucket is missing', async () => {
    await using store = await openS3BlobStore({ ...options(), bucket: `none-${randomUUID()}` });
    const cause = { name: 'NoSuchBucket' };
    await expect(store.check()).rejects.toMatchObject({ cause });
    await expect(store.read('a')).rejects.toMatchObject({ cause });
    await expect(store.stat('a')).rejects.toBeInstanceOf(BlobStoreAwayError);
  });

  it('fails its check with a wrong secret', async () => {
    await using store = await openS3BlobStore({ ...options(), secretAccessKey: 'wrong' });
    await expect(store.check()).rejects.toMatchObject({
      cause: { name: 'SignatureDoesNotMatch' },
    });
  });

  it('leaves no listeners behind for the parts of a partial blob', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    await using store = await openS3BlobStore(options());
    const [key, chunk] = [`uploads/${randomUUID()}`, Buffer.alloc(8 * 1024 * 1024, 7)];
    const totalBytes = 12 * chunk.length;
    let progress = await store.partial.begin(key, totalBytes);
    const body = (async function* () {
      for (let at = 0; at < totalBytes; at += chunk.length) yield chunk;
    })();
    const record = async (now: typeof progress) => {
      progress = now;
    };
    await store.partial.append({ key, totalBytes, progress, body, record });
    await store.partial.finish({ key, totalBytes, progress });
    expect(await store.stat(key)).toMatchObject({ sizeBytes: totalBytes });
    await store.delete(key);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  }, 120_000);

  it('aborts uploads older than a week, only under its own prefix', async () => {
    const credentials = { accessKeyId, secretAccessKey };
    const address = options().endpoint ?? '';
    const client = new S3Client({ endpoint: address, region, credentials, forcePathStyle: true });
    const inside = `${prefix}/stale`;
    const outside = `${prefix}-other/stale`;
    for (const Key of [inside, outside]) {
      await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
    }
    const pending = async () => {
      const list = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix });
      return ((await client.send(list)).Uploads ?? []).map(({ Key }) => Key).sort();
    };
    const openDaysLater = async (days: number) => {
      await using store = await openS3BlobStore(options());
      await store.removeLeftovers(new Date(Date.now() + days * 86_400_000));
    };
    await openDaysLater(6);
    expect(await pending()).toEqual([outside, inside].sort());
    await openDaysLater(8);
    expect(await pending()).toEqual([outside]);
    client.destroy();
  });
}
