import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { type Clock, systemClock } from '../clock/clock.ts';
import { assertBlobKey } from './blob-key.ts';
import { BlobNotFoundError, type BlobStore, type ByteSpan } from './blob-store.ts';
import { assertByteSpan } from './byte-span.ts';
import { abortStaleUploads, type S3Target, uploadStream, uploadWhole } from './s3-upload.ts';
import { prepareScratchFolder } from './scratch-folder.ts';

export interface S3BlobStoreOptions {
  /** Unset: AWS itself, by region. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket in the path instead of the host name; most stores other than AWS want it. */
  readonly forcePathStyle: boolean;
  /** Put before every key, with a slash between; empty for none. */
  readonly prefix: string;
  /** A local folder for files on their way in. */
  readonly scratchDir: string;
  readonly clock?: Clock;
}

/** Long enough that no upload of anybody sharing the bucket is still under way. */
const staleUploadMs = 7 * 24 * 60 * 60 * 1000;
/** Opening waits no longer than this for a sweep that a dead store would hold up. */
const sweepTimeoutMs = 10_000;

/**
 * Opens a blob store on an S3 bucket, which must exist. Does not fail when the store is away: that
 * is what `check` tells.
 */
export async function openS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  const now = (options.clock ?? systemClock).now();
  await prepareScratchFolder(options.scratchDir, now);
  const store = new S3BlobStore(options);
  await store.sweep(new Date(now.getTime() - staleUploadMs));
  return store;
}

class S3BlobStore implements BlobStore {
  readonly scratchDir: string;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(options: S3BlobStoreOptions) {
    this.scratchDir = options.scratchDir;
    this.#client = createClient(options);
    this.#bucket = options.bucket;
    const prefix = options.prefix.replace(/^\/+|\/+$/g, '');
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
  }

  async put(key: string, body: Buffer | Readable, type: string): Promise<{ sizeBytes: number }> {
    if (!(body instanceof Readable)) {
      return { sizeBytes: await uploadWhole(this.#client, this.#target(key, type), body) };
    }
    // A stream may break before it is read from; unheard, that would end the process.
    body.on('error', () => {});
    try {
      return { sizeBytes: await uploadStream(this.#client, this.#target(key, type), body) };
    } finally {
      body.destroy();
    }
  }

  async putFile(key: string, path: string, type: string): Promise<{ sizeBytes: number }> {
    const stored = await this.put(key, createReadStream(path), type);
    await rm(path, { force: true });
    return stored;
  }

  async read(key: string, span?: ByteSpan): Promise<Readable> {
    if (span !== undefined) assertByteSpan(span);
    const Range = span === undefined ? undefined : `bytes=${span.start}-${span.end}`;
    try {
      const found = await this.#client.send(new GetObjectCommand({ ...this.#at(key), Range }));
      if (!(found.Body instanceof Readable)) throw new Error(`no readable body for ${key}`);
      return found.Body;
    } catch (error) {
      if (isMissing(error)) throw new BlobNotFoundError(key, { cause: error });
      if (statusOf(error) === 416) {
        throw new RangeError(`${key} ends before ${span?.start}`, { cause: error });
      }
      throw error;
    }
  }

  async stat(key: string): Promise<{ sizeBytes: number } | undefined> {
    try {
      const found = await this.#client.send(new HeadObjectCommand(this.#at(key)));
      return { sizeBytes: found.ContentLength ?? 0 };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#at(key)));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async check(): Promise<void> {
    const key = `check/${randomUUID()}`;
    await this.put(key, Buffer.from('ok'), 'text/plain');
    try {
      const read = await (await this.read(key)).toArray();
      if (Buffer.concat(read).toString() !== 'ok') throw new Error(`${key} reads differently`);
    } finally {
      await this.delete(key);
    }
  }

  /** Best effort: a store that cannot list uploads, or is away, must not keep the service down. */
  async sweep(before: Date): Promise<void> {
    const swept = abortStaleUploads(this.#client, this.#bucket, this.#prefix, before);
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, sweepTimeoutMs);
    await Promise.race([swept.catch(() => {}), timeout.promise]);
    clearTimeout(timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.destroy();
  }

  #at(key: string): { Bucket: string; Key: string } {
    assertBlobKey(key);
    return { Bucket: this.#bucket, Key: `${this.#prefix}${key}` };
  }

  #target(key: string, contentType: string): S3Target {
    return { ...this.#at(key), ContentType: contentType };
  }
}

function createClient(options: S3BlobStoreOptions): S3Client {
  return new S3Client({
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    region: options.region,
    credentials: {
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
    },
    forcePathStyle: options.forcePathStyle,
    // Stores other than AWS refuse or garble the checksums newer SDKs send unasked.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      // A listener who pauses keeps the store's answer waiting; not for ever.
      socketTimeout: 300_000,
      // Every listener holds a socket while they download; 50, the default, would queue the rest.
      httpAgent: { keepAlive: true, maxSockets: 2_000 },
      httpsAgent: { keepAlive: true, maxSockets: 2_000 },
    },
  });
}

// NoSuchBucket is a 404 too, but a wrong setting and no missing blob. HEAD has no body to tell by.
function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && (error as S3ServiceException).name !== 'NoSuchBucket';
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
