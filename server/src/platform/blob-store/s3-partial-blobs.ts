import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type MultipartUpload,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { type BlobStore, isBlobKey } from './blob-store.ts';
import type { DiskRoom } from './disk-room.ts';
import {
  type Append,
  type BlobProgress,
  type PartialBlob,
  PartialBlobLostError,
  type PartialBlobs,
  type UnfinishedBlob,
} from './partial-blobs.ts';
import { nameOf, statusOf } from './s3-client.ts';

/** AWS requires at least 5 MB; R2 requires parts of equal size. */
const partBytes = 8 * 1024 * 1024;
const blockBytes = 256 * 1024;
const contentType = 'application/octet-stream';

interface Parts {
  readonly uploadId: string;
  /** The ETag of each part, in order: a part that another writer has overwritten is not accepted. */
  readonly etags: readonly string[];
  /** The last bytes, too few for a part, are stored as a separate object. */
  readonly tail: { readonly key: string; readonly sizeBytes: number } | null;
}

export interface S3Bucket {
  readonly client: S3Client;
  at(key: string): { Bucket: string; Key: string };
  readonly listedAtOnce: number;
  readonly scratchDir: string;
  /** Of the disk of scratchDir. */
  readonly room: DiskRoom;
}

type Objects = Pick<BlobStore, 'read' | 'stat' | 'delete'>;

/**
 * Multipart uploads. Bytes wait in a scratch file until they make a part or their sender stops, and are
 * sent from it block by block, so memory hardly grows with the number of senders; parts are sent one after
 * the other, so none is missing in the middle.
 */
export function createS3PartialBlobs(bucket: S3Bucket, objects: Objects): PartialBlobs {
  return {
    /** The bucket has no limit that we know. */
    async requireRoom() {},
    async begin(key) {
      const command = new CreateMultipartUploadCommand({
        ...bucket.at(key),
        ContentType: contentType,
      });
      const { UploadId: uploadId = '' } = await bucket.client.send(command);
      return begunAs(uploadId);
    },
    append: (append) => appendParts(bucket, objects, append),
    finish: (partial) => complete(bucket, objects, partial),
    async remove({ key, progress }) {
      const { uploadId: UploadId, tail } = readState(progress);
      const abort = new AbortMultipartUploadCommand({ ...bucket.at(key), UploadId });
      await bucket.client.send(abort).catch(ignoreMissing);
      if (tail !== null) await objects.delete(tail.key);
      await objects.delete(key);
    },
    listUnfinished: (folder) => listUnfinished(bucket, folder),
  };
}

async function* listUnfinished(bucket: S3Bucket, folder: string): AsyncGenerator<UnfinishedBlob[]> {
  const { Bucket, Key: start } = bucket.at(folder);
  const place = { Bucket, Prefix: `${start}/`, MaxUploads: bucket.listedAtOnce };
  for await (const page of listMultipartUploads(bucket.client, place)) {
    yield page.flatMap(({ Key = '', UploadId = '', Initiated }) => {
      const key = folder + Key.slice(start.length);
      if (Initiated === undefined || !isBlobKey(key)) return [];
      return [{ key, progress: begunAs(UploadId), begunAt: Initiated }];
    });
  }
}

interface Place {
  readonly Bucket: string;
  readonly Prefix: string;
  readonly MaxUploads: number;
}

/** Page by page. Ends early if the store cannot list them, as some can't. */
export async function* listMultipartUploads(
  client: S3Client,
  place: Place,
): AsyncGenerator<MultipartUpload[]> {
  let next = {};
  const seen = new Set<string>();
  do {
    seen.add(JSON.stringify(next));
    const page: Partial<ListMultipartUploadsCommandOutput> = await client
      .send(new ListMultipartUploadsCommand({ ...place, ...next }))
      .catch(() => ({}));
    if (page.Uploads !== undefined) yield page.Uploads;
    if (page.IsTruncated !== true) return;
    next = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    // A broken store repeats pages.
  } while (!seen.has(JSON.stringify(next)));
}

const begunAs = (uploadId: string): BlobProgress => ({
  sizeBytes: 0,
  state: JSON.stringify({ uploadId, etags: [], tail: null } satisfies Parts),
});

async function appendParts(bucket: S3Bucket, objects: Objects, append: Append): Promise<void> {
  const path = join(bucket.scratchDir, `part-${randomUUID()}`);
  using _part = await bucket.room.reserve(partBytes);
  try {
    await using file = await open(path, 'wx+', 0o600);
    const writer = new PartWriter(bucket, objects, append, file);
    await writer.readTail();
    try {
      for await (const chunk of append.body) await writer.write(chunk);
    } finally {
      await writer.flush();
    }
  } finally {
    await rm(path, { force: true });
  }
}

class PartWriter {
  readonly #bucket: S3Bucket;
  readonly #objects: Objects;
  readonly #append: Append;
  /** Holds the bytes after the last part. */
  readonly #file: FileHandle;
  #parts: Parts;
  #waiting = 0;
  /** Of the waiting bytes. The store compares it, as a stream is not part of the signature. */
  #md5: Hash = createHash('md5');
  #recorded: number;

  constructor(bucket: S3Bucket, objects: Objects, append: Append, file: FileHandle) {
    this.#bucket = bucket;
    this.#objects = objects;
    this.#append = append;
    this.#file = file;
    this.#parts = readState(append.progress);
    this.#recorded = append.progress.sizeBytes;
  }

  async readTail(): Promise<void> {
    const { tail } = this.#parts;
    if (tail === null) return;
    for await (const chunk of await this.#objects.read(tail.key)) await this.#keep(chunk as Buffer);
    if (this.#waiting !== tail.sizeBytes) throw new PartialBlobLostError(this.#append.key);
  }

  async write(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      if (this.#waiting === partBytes) await this.#sendPart();
      const end = Math.min(chunk.length, at + partBytes - this.#waiting);
      await this.#keep(chunk.subarray(at, end));
      at = end;
    }
  }

  /** Stores the waiting bytes: as a part if they fill one or end the blob, else as the tail. */
  async flush(): Promise<void> {
    const sizeBytes = this.#sizeBytes();
    if (sizeBytes === this.#recorded) return;
    const isPart = sizeBytes === this.#append.totalBytes || this.#waiting === partBytes;
    if (isPart) await this.#sendPart();
    else await this.#putTail();
  }

  #sizeBytes(): number {
    return this.#parts.etags.length * partBytes + this.#waiting;
  }

  async #keep(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const at = this.#waiting + done;
      done += (await this.#file.write(bytes, done, bytes.length - done, at)).bytesWritten;
    }
    this.#waiting += bytes.length;
    this.#md5.update(bytes);
  }

  async #sendPart(): Promise<void> {
    const { uploadId: UploadId, etags } = this.#parts;
    const command = new UploadPartCommand({
      ...this.#bucket.at(this.#append.key),
      UploadId,
      PartNumber: etags.length + 1,
      ...this.#waitingBytes(),
    });
    const { ETag = '' } = await this.#bucket.client.send(command).catch((error: unknown) => {
      if (nameOf(error) === 'NoSuchUpload') throw lost(this.#append, error);
      throw error;
    });
    const sizeBytes = this.#sizeBytes();
    await this.#record({ uploadId: UploadId, etags: [...etags, ETag], tail: null }, sizeBytes);
    this.#waiting = 0;
    this.#md5 = createHash('md5');
  }

  async #putTail(): Promise<void> {
    const tail = { key: `${this.#append.key}.${randomUUID()}`, sizeBytes: this.#waiting };
    const command = new PutObjectCommand({
      ...this.#bucket.at(tail.key),
      ContentType: contentType,
      ...this.#waitingBytes(),
    });
    await this.#bucket.client.send(command);
    await this.#record({ ...this.#parts, tail }, this.#sizeBytes());
  }

  async #record(parts: Parts, sizeBytes: number): Promise<void> {
    const { tail: before } = this.#parts;
    await this.#append.record({ sizeBytes, state: JSON.stringify(parts) });
    this.#parts = parts;
    this.#recorded = sizeBytes;
    if (before !== null) await this.#objects.delete(before.key);
  }

  #waitingBytes() {
    return {
      ContentLength: this.#waiting,
      ContentMD5: this.#md5.copy().digest('base64'),
      Body: Readable.from(readBlocks(this.#file, this.#waiting), { objectMode: false }),
    };
  }
}

/** Not createReadStream: each part's stream would listen to the handle until it is closed. */
async function* readBlocks(file: FileHandle, sizeBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < sizeBytes; ) {
    const length = Math.min(blockBytes, sizeBytes - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) throw new Error('a scratch file is shorter than what was written to it');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function complete(bucket: S3Bucket, objects: Objects, partial: PartialBlob): Promise<void> {
  const { key, totalBytes, progress } = partial;
  const { uploadId: UploadId, etags } = readState(progress);
  const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
  const command = new CompleteMultipartUploadCommand({
    ...bucket.at(key),
    UploadId,
    MultipartUpload: { Parts },
  });
  try {
    await bucket.client.send(command);
  } catch (error) {
    if (!(await isOver(bucket, { key, UploadId }, error))) throw error;
    // Another process may have completed it and then failed, or the store's response got lost.
    if ((await objects.stat(key))?.sizeBytes !== totalBytes) throw lost(partial, error);
  }
}

/** Whether the upload no longer exists, or its parts are not ours. */
async function isOver(
  { client, at }: S3Bucket,
  { key, UploadId }: { readonly key: string; readonly UploadId: string },
  error: unknown,
): Promise<boolean> {
  if (['NoSuchUpload', 'InvalidPart'].includes(nameOf(error))) return true;
  // Ceph responds with 500 to the completion of an upload that it no longer has.
  return await client.send(new ListPartsCommand({ ...at(key), UploadId, MaxParts: 1 })).then(
    () => false,
    (refusal: unknown) => statusOf(refusal) === 404,
  );
}

function readState({ state }: BlobProgress): Parts {
  return JSON.parse(state) as Parts;
}

function lost({ key }: Pick<PartialBlob, 'key'>, cause: unknown): PartialBlobLostError {
  return new PartialBlobLostError(key, { cause });
}

function ignoreMissing(error: unknown): void {
  if (!['NoSuchUpload', 'NotFound', 'NoSuchKey'].includes(nameOf(error))) throw error;
}
