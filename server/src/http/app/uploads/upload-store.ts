import type { Readable } from 'node:stream';
import { DataStore, ERRORS, type Lock, Upload as TusUpload } from '@tus/server';
import type { Context } from '../../../domain/foundation/context.ts';
import {
  appendToUpload,
  createUpload,
  getUpload,
  openUpload,
  type Upload,
  type Writing,
} from '../../../domain/publishing/uploads/index.ts';
import { readMetadata } from './read-metadata.ts';

/**
 * Connects one request of the protocol with the domain. It is both store and lock for @tus/server,
 * because only the holder of the lock may write. docs/decisions/0031 says why its own do not fit.
 */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'termination'];
  /** After the last step. */
  expiresAt: Date | undefined;
  readonly #ctx: Context;
  readonly #onWrite: () => void;
  #writing: Writing | undefined;
  #appending: Promise<unknown> | undefined;

  /** `onWrite` is called when this request may write, before its bytes arrive. */
  constructor(ctx: Context, onWrite: () => void) {
    super();
    this.#ctx = ctx;
    this.#onWrite = onWrite;
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    const wanted = readMetadata(upload.metadata ?? {});
    const sizeBytes = upload.size ?? 0;
    this.expiresAt = await createUpload(this.#ctx, { ...wanted, id: upload.id, sizeBytes });
    return upload;
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const upload = this.#writing?.upload ?? (await getUpload(this.#ctx, id));
    return this.#toTus(upload);
  }

  override async write(body: Readable, _id: string, offset: number): Promise<number> {
    const writing = this.#writing;
    if (writing?.upload.receivedBytes !== offset) throw ERRORS.INVALID_OFFSET;
    this.#onWrite();
    const appending = appendToUpload(this.#ctx, writing, body as AsyncIterable<Buffer>);
    this.#appending = appending.catch(() => {});
    return this.#toTus(await appending).offset;
  }

  /** The lock for this request. A request that creates an upload needs none. */
  newLock(id: string): Lock {
    return {
      lock: async (signal, onAwaited) => {
        this.#writing = await openUpload(this.#ctx, id, {
          signal,
          onAwaited: () => void onAwaited(),
        });
      },
      unlock: async () => {
        // If the body failed, the bytes that have arrived may not be durable yet.
        await this.#appending;
        await this.#writing?.[Symbol.asyncDispose]();
        this.#writing = undefined;
      },
    };
  }

  #toTus(upload: Upload): TusUpload {
    this.expiresAt = upload.expiresAt;
    return new TusUpload({
      id: upload.id,
      size: upload.sizeBytes,
      offset: upload.receivedBytes,
      metadata: { ...upload.metadata },
      creation_date: upload.createdAt.toISOString(),
    });
  }
}
