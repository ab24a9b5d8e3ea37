import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
  type S3ServiceException,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { trimEndOf } from '../../lib/trim-end.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import {
  assertBlobKey,
  assertByteSpan,
  BlobNotFoundError,
  type BlobReader,
  type BlobStore,
  BlobStoreAwayError,
  type ByteSpan,
  isBlobKey,
  type Leftovers,
  type ListedBlob,
  mostListedAtOnce,
} from './blob-store.ts';
import { DiskRoom, type DiskRoomOptions } from './disk-room.ts';
import type { PartialBlobs } from './partial-blobs.ts';
import {
  away,
  createS3Client,
  isForbidden,
  nameOf,
  type S3ClientOptions,
  statusOf,
} from './s3-client.ts';
import { createS3PartialBlobs, listMultipartUploads } from './s3-partial-blobs.ts';
import { prepareScratchFolder, removeOldFiles } from './scratch-folder.ts';

/** Bytes. At most 10,000 such parts, 78 GiB, make up one object; two are held at a time. */
const partSize = 8 * 1024 * 1024;

interface S3Target {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
}

/** Uploads bytes of any length in bounded memory. The object exists only after the last byte. */
async function uploadBytes(
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
  try {
    await upload.done();
  } catch (error) {
    const isAnswered = nameOf(error) === 'NoSuchUpload' || String(error).includes('missing ETag');
    if (!isAnswered) throw error;
    // The store may have completed it at an earlier attempt, whose response got lost.
    if ((await findSize(client, target)) !== sizeBytes) throw away(error);
  }
  return sizeBytes;
}

/** Undefined: there is no such object, in a bucket that exists. */
async function findSize(
  client: S3Client,
  { Bucket, Key }: Pick<S3Target, 'Bucket' | 'Key'>,
): Promise<number | undefined> {
  try {
    return (await client.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength ?? 0;
  } catch (error) {
    if (!isMissing(error)) throw error;
    // The response to HEAD has no body, so it is the same if the bucket is missing.
    await client.send(new HeadBucketCommand({ Bucket })).catch((refusal: unknown) => {
      // Who may read objects may still not be allowed to look at the bucket.
      if (!isForbidden(refusal)) throw away(refusal);
    });
    return undefined;
  }
}

/** Aborts uploads at this place that began before `before`: leftovers of crashes use space. */
async function abortStaleUploads(
  client: S3Client,
  place: { readonly Bucket: string; readonly Prefix: string; readonly MaxUploads: number },
  before: Date,
): Promise<void> {
  const { Bucket } = place;
  for await (const page of listMultipartUploads(client, place)) {
    for (const { Key, UploadId, Initiated } of page) {
      if (Initiated === undefined || Initiated >= before) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
  }
}

interface S3Object {
  readonly Bucket: string;
  readonly Key: string;
}

/** One request copies this much, well within a minute. */
const pieceBytes = 256 * 1024 * 1024;

/** Copies within the store: the bytes do not pass through this machine. */
async function copyObject(
  client: S3Client,
  from: S3Object & { readonly sizeBytes: number },
  to: S3Object & { readonly ContentType: string },
): Promise<void> {
  const CopySource = encodeURI(`${from.Bucket}/${from.Key}`);
  if (from.sizeBytes <= pieceBytes) {
    const command = new CopyObjectCommand({ ...to, CopySource, MetadataDirective: 'REPLACE' });
    await client.send(command);
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(to));
  const target = { Bucket: to.Bucket, Key: to.Key, UploadId };
  try {
    const Parts: CompletedPart[] = [];
    for (let at = 0; at < from.sizeBytes; at += pieceBytes) {
      const end = Math.min(at + pieceBytes, from.sizeBytes) - 1;
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${at}-${end}`;
      const piece = { ...target, CopySource, CopySourceRange, PartNumber };
      const { CopyPartResult } = await client.send(new UploadPartCopyCommand(piece));
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    const MultipartUpload = { Parts };
    await client.send(new CompleteMultipartUploadCommand({ ...target, MultipartUpload }));
  } catch (error) {
    if (nameOf(error) === 'NoSuchUpload' && (await findSize(client, to)) === from.sizeBytes) return;
    await client.send(new AbortMultipartUploadCommand(target)).catch(() => {});
    throw nameOf(error) === 'NoSuchUpload' ? away(error) : error;
  }
}

export interface S3BlobStoreOptions extends S3ClientOptions {
  readonly bucket: string;
  /** Prefix of every key, with a slash after it; may be empty. */
  readonly prefix: string;
  /** A local folder for incoming files. */
  readonly scratchDir: string;
  readonly clock?: Clock;
  readonly listedAtOnce?: number;
  readonly room?: DiskRoomOptions;
  readonly mostClients?: number;
}

/** Each keeps a connection to the store, and up to 400 kB of buffers while it is paused. */
const defaultMostClients = 2_000;

/** Longer than any upload of anyone who shares the bucket. */
const staleUploadMs = 7 * 24 * 60 * 60 * 1000;
const staleCheckMs = 24 * 60 * 60 * 1000;
/**
 * Opens a blob store on an existing S3 bucket. Doesn't wait for the store, so it succeeds at once even if
 * that is down; `check` reports it.
 */
export async function openS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  const now = (options.clock ?? systemClock).now();
  await prepareScratchFolder(options.scratchDir, now);
  const store = new S3BlobStore(options);
  void store.abortUploads(now);
  return store;
}

class S3BlobStore implements BlobStore {
  readonly scratchDir: string;
  readonly room: DiskRoom;
  readonly partial: PartialBlobs;
  readonly mostClients: number;
  readonly #client: S3Client;
  /** Has connections of its own, which paused clients keep for minutes. */
  readonly #readsOfClients: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #listedAtOnce: number;

  constructor(options: S3BlobStoreOptions) {
    this.scratchDir = options.scratchDir;
    this.room = new DiskRoom(options.scratchDir, options.room);
    this.#listedAtOnce = options.listedAtOnce ?? mostListedAtOnce;
    this.#client = createS3Client(options);
    this.mostClients = options.mostClients ?? defaultMostClients;
    // For audio and for other files.
    const mostSockets = 2 * this.mostClients;
    this.#readsOfClients = createS3Client({ ...options, mostSockets });
    this.#bucket = options.bucket;
    const prefix = trimEndOf(options.prefix.replace(/^\/+/, ''), '/');
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    const at = (key: string) => this.#at(key);
    const { scratchDir, room } = this;
    const listedAtOnce = this.#listedAtOnce;
    const bucket = { client: this.#client, at, listedAtOnce, scratchDir, room };
    this.partial = createS3PartialBlobs(bucket, this);
  }

  async put(key: string, body: Buffer | Readable, type: string): Promise<{ sizeBytes: number }> {
    const stream = body instanceof Readable ? body : undefined;
    // A stream may fail before it is read; an unhandled 'error' would end the process.
    stream?.on('error', () => {});
    try {
      const target = { ...this.#at(key), ContentType: type };
      return { sizeBytes: await uploadBytes(this.#client, target, body) };
    } finally {
      stream?.destroy();
    }
  }

  async putFile(key: string, path: string, type: string): Promise<{ sizeBytes: number }> {
    const stored = await this.put(key, createReadStream(path), type);
    await rm(path, { force: true });
    return stored;
  }

  async copy(from: string, to: string, type: string): Promise<{ sizeBytes: number }> {
    const found = await this.stat(from);
    if (found === undefined) throw new BlobNotFoundError(from);
    const source = { ...this.#at(from), ...found };
    await copyObject(this.#client, source, { ...this.#at(to), ContentType: type });
    return found;
  }

  async withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
    const path = join(this.scratchDir, `read-${randomUUID()}`);
    const found = await this.stat(key);
    if (found === undefined) throw new BlobNotFoundError(key);
    const { sizeBytes } = found;
    using reserved = await this.room.reserve(sizeBytes);
    try {
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await pipeline(await this.read(key), (body) => reserved.taking(body), file);
      if (file.bytesWritten !== sizeBytes)
        throw new BlobStoreAwayError({ cause: new Error('the file has two lengths') });
      return await use(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  async read(key: string, span?: ByteSpan, reader?: BlobReader): Promise<Readable> {
    if (span !== undefined) assertByteSpan(span);
    const Range = span === undefined ? undefined : `bytes=${span.start}-${span.end}`;
    const client = reader === 'client' ? this.#readsOfClients : this.#client;
    try {
      const found = await client.send(new GetObjectCommand({ ...this.#at(key), Range }));
      if (!(found.Body instanceof Readable)) throw new TypeError(`no readable body for ${key}`);
      if (!isRequested(found, span)) {
        found.Body.destroy();
        throw new BlobStoreAwayError({ cause: new Error('the reply has other bytes') });
      }
      return failingAsAway(found.Body);
    } catch (error) {
      if (isMissing(error)) throw new BlobNotFoundError(key, { cause: error });
      if (statusOf(error) === 416) {
        throw new RangeError(`${key} ends before ${span?.start}`, { cause: error });
      }
      throw error;
    }
  }

  async stat(key: string): Promise<{ sizeBytes: number } | undefined> {
    const sizeBytes = await findSize(this.#client, this.#at(key));
    return sizeBytes === undefined ? undefined : { sizeBytes };
  }

  async delete(key: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#at(key)));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async *list(folder: string): AsyncGenerator<ListedBlob[]> {
    const { Bucket, Key } = this.#at(folder);
    let next: string | undefined;
    const seen = new Set<string>();
    do {
      const page: ListObjectsV2CommandOutput = await this.#client.send(
        new ListObjectsV2Command({
          ...{ Bucket, Prefix: `${Key}/`, ContinuationToken: next },
          MaxKeys: this.#listedAtOnce,
        }),
      );
      const batch = (page.Contents ?? []).flatMap(({ Key = '', Size = 0, LastModified }) => {
        const key = Key.slice(this.#prefix.length);
        if (LastModified === undefined || !isBlobKey(key)) return [];
        return [{ key, sizeBytes: Size, storedAt: LastModified }];
      });
      if (batch.length > 0) yield batch;
      next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      if (next !== undefined && seen.has(next)) throw new Error('the list of files never ends');
      if (next !== undefined) seen.add(next);
    } while (next !== undefined);
  }

  async removeLeftovers(now: Date, { dryRun = false } = {}): Promise<Leftovers> {
    if (!dryRun) await this.abortUploads(now);
    let { files, bytes } = await removeOldFiles(this.scratchDir, now, { dryRun });
    for await (const batch of this.list('check')) {
      for (const { key, sizeBytes, storedAt } of batch) {
        if (storedAt.getTime() >= now.getTime() - staleCheckMs) continue;
        if (!dryRun) await this.delete(key);
        files += 1;
        bytes += sizeBytes;
      }
    }
    return { files, bytes };
  }

  async check(): Promise<void> {
    const key = `check/${randomUUID()}`;
    await this.put(key, Buffer.from('ok'), 'text/plain');
    try {
      const read = await (await this.read(key, { start: 0, end: 1 })).toArray();
      if (Buffer.concat(read).toString() !== 'ok')
        throw new Error(`${key} does not contain what was written`);
    } finally {
      await this.delete(key);
    }
  }

  /** Best effort: a store that cannot list uploads, or is down, must not block the service. */
  async abortUploads(now: Date): Promise<void> {
    const before = new Date(now.getTime() - staleUploadMs);
    const place = { Bucket: this.#bucket, Prefix: this.#prefix, MaxUploads: this.#listedAtOnce };
    await abortStaleUploads(this.#client, place, before).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.destroy();
    this.#readsOfClients.destroy();
  }

  #at(key: string): { Bucket: string; Key: string } {
    assertBlobKey(key);
    return { Bucket: this.#bucket, Key: `${this.#prefix}${key}` };
  }
}

interface Reply {
  readonly ContentLength?: number | undefined;
  readonly ContentRange?: string | undefined;
}

/** Whether a store sends the requested bytes: all of them, and no others. */
function isRequested({ ContentLength, ContentRange }: Reply, span: ByteSpan | undefined): boolean {
  // Every store sends the length. Without it, a broken one could send bytes for ever.
  if (ContentLength === undefined || !Number.isSafeInteger(ContentLength)) return false;
  if (span === undefined) return ContentRange === undefined;
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? '') ?? [];
  // Without a range it is the whole blob: what RFC 9110 allows is not what was requested.
  if (total === undefined) return false;
  const last = Math.min(span.end, Number(total) - 1);
  const isWhole = Number(start) === span.start && Number(end) === last;
  return isWhole && ContentLength === last - span.start + 1;
}

/** The bytes; if their connection fails, so does the stream, with BlobStoreAwayError. */
function failingAsAway(body: Readable): Readable {
  const bytes = new PassThrough();
  body.once('error', (error) => bytes.destroy(away(error)));
  bytes.once('close', () => body.destroy());
  return body.pipe(bytes);
}

// NoSuchBucket is a 404 too, but means a wrong setting.
function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && (error as S3ServiceException).name !== 'NoSuchBucket';
}
