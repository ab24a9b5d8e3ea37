import type { Context } from '../context.ts';
import { invalid, type SaidMessage } from '../errors.ts';
import { FileError } from '../file-error.ts';
import { sayRefusal } from '../refusals.ts';
import { completeUpload, removeHeld } from './append-to-upload.ts';
import { getUpload } from './find-upload.ts';
import { expiryOf, type Upload, type UploadPurpose, uploadKey } from './upload.ts';
import { updateUsed } from './uploads.sql.ts';
import { claimWriter } from './writer.ts';

/** A finished upload, as whoever uses it names it. */
export interface SentFile {
  readonly uploadId: string;
  /** Of the file as its sender has it; undefined: as it was said at the beginning, if it was. */
  readonly sha256?: string | undefined;
}

/** What an upload must be for. */
export interface UploadUse extends SentFile {
  readonly purpose: UploadPurpose;
  readonly podcastId: string;
  /** Null: the podcast itself. */
  readonly episodeId: string | null;
}

/** What a use answers beside what was found in the file. */
export interface Revised {
  /** Of the episode or podcast, with the file as its part. */
  readonly revision: number;
}

/** A whole file that nobody else uses or removes before the disposal. */
export interface FinishedUpload extends AsyncDisposable {
  readonly upload: Upload;
  /** What the bytes must have; null: nobody said. */
  readonly sha256: string | null;
  /** In the blob store. */
  readonly key: string;
  /** Within the transaction that uses the file. Throws if it was used before. */
  markUsed(tx: Context): Promise<void>;
  /** After that, or when the file can never be used. */
  removeFile(): Promise<void>;
  /** Removes the upload: the file is not what it has to be. Returns what to throw. */
  refuse(message: string | SaidMessage, reason: string): Promise<Error>;
  /** Does `work` with the file, and refuses it if it throws a FileError. */
  check<T>(work: () => Promise<T>): Promise<T>;
}

/** Throws for what is unknown, belongs to others, is for something else, or has not arrived. */
export async function claimFinished(ctx: Context, use: UploadUse): Promise<FinishedUpload> {
  refuseOtherUse(await getUpload(ctx, use.uploadId), use);
  const writing = await claimWriter(ctx, use.uploadId);
  try {
    const { usedAt, receivedBytes, sizeBytes } = writing.upload;
    if (usedAt !== null) throw invalid('upload_id', sayRefusal('file_used'), 'used');
    if (receivedBytes < sizeBytes) {
      const message = `Only ${receivedBytes} of ${sizeBytes} bytes have arrived.`;
      throw invalid('upload_id', message, 'unfinished');
    }
    const upload = await completeUpload(ctx, writing.upload);
    const key = uploadKey(upload.id);
    const refuse = async (message: string | SaidMessage, reason: string) => {
      await removeHeld(ctx, upload);
      return invalid('upload_id', message, reason);
    };
    return {
      upload,
      key,
      sha256: use.sha256?.toLowerCase() ?? upload.sha256,
      async markUsed(tx) {
        writing.assertHeld();
        const now = ctx.clock.now();
        const used = { now, expiresAt: expiryOf(upload.createdAt, now) };
        if (await updateUsed(tx.db, upload.id, used)) return;
        throw invalid('upload_id', sayRefusal('file_used'), 'used');
      },
      removeFile: () => ctx.blobs.delete(key),
      refuse,
      check: (work) =>
        work().catch(async (error: unknown) => {
          throw error instanceof FileError ? await refuse(error.message, error.reason) : error;
        }),
      [Symbol.asyncDispose]: () => writing[Symbol.asyncDispose](),
    };
  } catch (error) {
    await writing[Symbol.asyncDispose]();
    throw error;
  }
}

function refuseOtherUse(upload: Upload, use: UploadUse): void {
  const isForIt =
    upload.purpose === use.purpose &&
    upload.podcastId === use.podcastId.toLowerCase() &&
    upload.episodeId === (use.episodeId?.toLowerCase() ?? null);
  if (isForIt) return;
  throw invalid('upload_id', 'This file was sent for something else.', 'other_use');
}
