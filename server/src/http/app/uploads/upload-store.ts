import type { Readable } from 'node:stream';
import { DataStore, ERRORS, type Lock, Upload as TusUpload } from '@tus/server';
import type { Context } from '../../../domain/foundation/context.ts';
import { type UploadPurpose, uploadPurposes } from '../../../domain/foundation/enumerations.ts';
import { DomainError, type ErrorDetail } from '../../../domain/foundation/errors.ts';
import { findNul, nulRefusal } from '../../../domain/foundation/schema-errors.ts';
import {
  appendToUpload,
  createUpload,
  getUpload,
  type NewUpload,
  openUpload,
  type Upload,
  type UploadMetadata,
  type Writing,
} from '../../../domain/publishing/uploads/index.ts';
import { isUuid } from '../../../lib/uuid.ts';

/** The pieces in which files arrive. */
interface Pieces {
  /** Called when this request may write, before its bytes arrive. May refuse it. */
  begin(): void;
  /** Called with the number of bytes that have been stored of a piece that is not the last of its file. */
  end(bytes: number): void;
}

/**
 * Connects one request of the protocol with the domain. It is both store and lock for @tus/server,
 * because only the holder of the lock may write. docs/decisions/0031 says why its own do not fit.
 */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'termination'];
  /** After the last step. */
  expiresAt: Date | undefined;
  readonly #ctx: Context;
  readonly #pieces: Pieces;
  #writing: Writing | undefined;
  #appending: Promise<unknown> | undefined;

  constructor(ctx: Context, pieces: Pieces) {
    super();
    this.#ctx = ctx;
    this.#pieces = pieces;
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
    this.#pieces.begin();
    const appending = appendToUpload(this.#ctx, writing, body as AsyncIterable<Buffer>);
    this.#appending = appending.catch(() => {});
    try {
      const { receivedBytes, sizeBytes } = await appending;
      if (receivedBytes < sizeBytes) this.#pieces.end(receivedBytes - offset);
      return receivedBytes;
    } catch (error) {
      this.#pieces.end(0);
      throw error;
    }
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

/** Reads the data of a new upload from `Upload-Metadata`. */
function readMetadata(metadata: UploadMetadata): Omit<NewUpload, 'id' | 'sizeBytes'> {
  const { purpose, podcast_id, episode_id, person_id, filename, sha256 } = metadata;
  const details: ErrorDetail[] = [];
  const refuse = (field: string, message: string) => details.push({ field, message });
  if (!isPurpose(purpose)) refuse('purpose', `This must be one of ${uploadPurposes.join(', ')}.`);
  if (!isUuid(podcast_id ?? '')) refuse('podcast_id', 'This must be a UUID.');
  if (episode_id != null && !isUuid(episode_id)) refuse('episode_id', 'This must be a UUID.');
  if (person_id != null && !isUuid(person_id)) refuse('person_id', 'This must be a UUID.');
  if (filename == null || filename === '') refuse('filename', 'This is required.');
  // All of it is stored, so that it returns to the client. It was decoded as UTF-8: its texts are whole.
  const [nul] = findNul(metadata) ?? [];
  if (nul !== undefined) details.push({ field: nul, ...nulRefusal });
  if (details.length > 0 || !isPurpose(purpose)) {
    throw new DomainError('invalid', 'The upload was not started.', { details });
  }
  return {
    purpose,
    podcastId: podcast_id ?? '',
    episodeId: episode_id ?? undefined,
    personId: person_id ?? undefined,
    filename: filename ?? '',
    sha256: sha256?.toLowerCase(),
    metadata,
  };
}

function isPurpose(text: string | null | undefined): text is UploadPurpose {
  return uploadPurposes.some((purpose) => purpose === text);
}
