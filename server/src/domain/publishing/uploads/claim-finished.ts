import type { Context } from '../../foundation/context.ts';
import type { UploadPurpose } from '../../foundation/enumerations.ts';
import { FileError, invalid, type SaidMessage } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { requireStorage } from '../../foundation/storage/index.ts';
import { storeAndCommit } from '../../foundation/store-and-commit.ts';
import { completeUpload, removeHeld } from './append-to-upload.ts';
import { getUpload } from './find-upload.ts';
import { countedPurposes, expiryOf, type Upload, uploadKey } from './upload.ts';
import { updateUsed } from './uploads.sql.ts';
import { claimWriter } from './writer.ts';

/** A finished upload, as the request that uses it names it. */
export interface SentFile {
  readonly uploadId: string;
  /** The hash of the sender's file; undefined: the one given when the upload began, if any. */
  readonly sha256?: string | undefined;
}

/** The purpose that the upload must have. */
export interface UploadUse extends SentFile {
  readonly purpose: UploadPurpose;
  readonly podcastId: string;
  /** Null: for the podcast itself. */
  readonly episodeId: string | null;
}

/** The revision after a use of the upload. */
export interface Revised {
  /** The revision of the episode or podcast that includes the file. */
  readonly revision: number;
}

/** A complete file that no other request uses or removes until it is disposed. */
export interface FinishedUpload extends AsyncDisposable {
  /** The expected hash of the bytes; null: not given. */
  readonly sha256: string | null;
  /** In the blob store. */
  readonly key: string;
  /**
   * Like `storeAndCommit`. The commit also marks the file as used. Throws if it was used before, or if
   * the account has no storage for it.
   */
  use<Stored, Result>(
    store: (ctx: Context) => Promise<Stored>,
    commit: (tx: Context, stored: Stored) => Promise<Result>,
  ): Promise<Result>;
  /** Removes the upload, because the file is not usable. Returns the error to throw. */
  refuse(message: string | SaidMessage, reason: string): Promise<Error>;
  /** Does `work` with the file, and refuses it if it throws a FileError. */
  check<T>(work: () => Promise<T>): Promise<T>;
}

/** Throws for an upload that is unknown, of somebody else, for another purpose, or unfinished. */
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
      key,
      sha256: use.sha256?.toLowerCase() ?? upload.sha256,
      async use(store, commit) {
        const used = await storeAndCommit(ctx, store, async (tx, stored) => {
          const result = await commit(tx, stored);
          writing.assertHeld();
          await markUsed(tx, upload);
          await requireStored(tx, upload);
          return result;
        });
        // It is used, whatever happens to the upload's own file: the sweep deletes that, too.
        await ctx.blobs.delete(key).catch((err: unknown) => {
          ctx.log.warn({ err }, "a used upload's file was not deleted");
        });
        return used;
      },
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

async function markUsed(tx: Context, { id, createdAt }: Upload): Promise<void> {
  const now = tx.clock.now();
  if (await updateUsed(tx.db, id, { now, expiresAt: expiryOf(createdAt, now) })) return;
  throw invalid('upload_id', sayRefusal('file_used'), 'used');
}

/** Uploads of several members may have begun that don't fit together. */
async function requireStored(tx: Context, upload: Upload): Promise<void> {
  const { purpose, podcastId, sizeBytes: bytes } = upload;
  if (!countedPurposes.includes(purpose)) return;
  await requireStorage(tx, podcastId, { bytes, areCounted: true });
}

function refuseOtherUse(upload: Upload, use: UploadUse): void {
  const isForIt =
    upload.purpose === use.purpose &&
    upload.podcastId === use.podcastId.toLowerCase() &&
    upload.episodeId === (use.episodeId?.toLowerCase() ?? null);
  if (isForIt) return;
  throw invalid('upload_id', 'This file was uploaded for something else.', 'other_use');
}
