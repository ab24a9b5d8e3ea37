import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

/** Bytes. At most 10,000 such parts, 78 GiB, make up one object; two are held at a time. */
const partSize = 8 * 1024 * 1024;

interface S3Target {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
}

/** Uploads bytes of any length in bounded memory. The object exists only after the last byte. */
export async function uploadBytes(
  client: S3Client,
  target: S3Target,
  body: Buffer | Readable,
): Promise<number> {
  const params = { ...target, Body: body };
  const upload = new Upload({ client, params, partSize, queueSize: 1 });
  let sizeBytes = 0;
  upload.on('httpUploadProgress', ({ loaded = 0 }) => {
    sizeBytes = loaded;
  });
  await upload.done();
  return sizeBytes;
}

/** Aborts uploads under `prefix` that began before `before`: leftovers of crashes use space. */
export async function abortStaleUploads(
  client: S3Client,
  bucket: string,
  prefix: string,
  before: Date,
): Promise<void> {
  const found = await client.send(
    new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }),
  );
  for (const { Key, UploadId, Initiated } of found.Uploads ?? []) {
    if (Initiated === undefined || Initiated >= before) continue;
    await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
  }
}
