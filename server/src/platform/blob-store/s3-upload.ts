import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { splitIntoParts } from './split-into-parts.ts';

/** At most 10,000 parts of this size, 78 GiB, make up one object; two are held at a time. */
const partBytes = 8 * 1024 * 1024;

export interface S3Target {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
}

/** Uploads a stream of any length in bounded memory; nothing is to be seen of it before its end. */
export async function uploadStream(
  client: S3Client,
  target: S3Target,
  body: Readable,
): Promise<number> {
  const parts = splitIntoParts(body, partBytes);
  try {
    const first = await parts.next();
    const opening = first.done ? Buffer.alloc(0) : first.value;
    if (opening.length < partBytes) return await uploadWhole(client, target, opening);
    return await uploadParts(client, target, opening, parts);
  } finally {
    // Ends the generator, and with it `body`, also when an upload failed in between.
    await parts.return(undefined);
  }
}

export async function uploadWhole(
  client: S3Client,
  target: S3Target,
  body: Buffer,
): Promise<number> {
  await client.send(new PutObjectCommand({ ...target, Body: body, ContentLength: body.length }));
  return body.length;
}

async function uploadParts(
  client: S3Client,
  target: S3Target,
  opening: Buffer,
  others: AsyncGenerator<Buffer>,
): Promise<number> {
  const { Bucket, Key } = target;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload = { Bucket, Key, UploadId };
  const done: CompletedPart[] = [];
  let sizeBytes = 0;
  try {
    for (let next: Buffer | undefined = opening; next !== undefined; ) {
      const PartNumber = done.length + 1;
      const part = { ...upload, PartNumber, Body: next, ContentLength: next.length };
      const { ETag } = await client.send(new UploadPartCommand(part));
      done.push({ PartNumber, ETag });
      sizeBytes += next.length;
      const following = await others.next();
      next = following.done ? undefined : following.value;
    }
    const whole = { ...upload, MultipartUpload: { Parts: done } };
    await client.send(new CompleteMultipartUploadCommand(whole));
    return sizeBytes;
  } catch (error) {
    // What cannot be aborted now is found by the next sweep; the first error is the one to tell.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}

/** Aborts uploads under `prefix` begun before `before`: a crash left them, and they cost room. */
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
