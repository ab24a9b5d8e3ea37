import {
  type BlobProgress,
  PartialBlobLostError,
} from '../../../platform/blob-store/partial-blobs.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError, notFound } from '../../foundation/errors.ts';
import { getUpload } from './find-upload.ts';
import { refuseOtherContent } from './refuse-other-content.ts';
import { expiryOf, toPartialBlob, type Upload } from './upload.ts';
import { deleteUpload, updateCompleted, updateReceived } from './uploads.sql.ts';
import { claimWriter, WriterLostError, type Writing } from './writer.ts';

/**
 * Makes the user's request the only writer of the upload, until it is disposed. `onAwaited` is
 * called when another request of the sender waits for it.
 */
export async function openUpload(
  ctx: Context,
  uploadId: string,
  options: { readonly onAwaited?: () => void; readonly signal?: AbortSignal } = {},
): Promise<Writing> {
  await getUpload(ctx, uploadId);
  return await claimWriter(ctx, uploadId, options);
}

/**
 * Appends bytes and makes them durable. If the body breaks off, the bytes before that are kept.
 * Throws, and removes the upload, if its first bytes show that it is another kind of file. Resolves
 * to the changed upload.
 */
export async function appendToUpload(
  ctx: Context,
  { writer, upload: opened, assertHeld }: Writing,
  body: AsyncIterable<Buffer>,
): Promise<Upload> {
  let upload = opened;
  const record = async (progress: BlobProgress) => {
    assertHeld();
    const expiresAt = expiryOf(upload.createdAt, ctx.clock.now());
    const changed = await updateReceived(ctx.db, upload.id, writer, { progress, expiresAt });
    if (changed === undefined) throw new WriterLostError();
    upload = changed;
  };
  try {
    const guarded = whileHeld(refuseOtherContent(opened, body), assertHeld);
    await ctx.blobs.partial.append({ ...toPartialBlob(opened), body: guarded, record });
  } catch (error) {
    if (isHopeless(error)) await removeHeld(ctx, upload);
    throw error instanceof PartialBlobLostError ? notFound('upload') : error;
  }
  return await completeUpload(ctx, upload);
}

/**
 * Completes the file if all bytes have arrived. An earlier process may have ended before it could.
 */
export async function completeUpload(ctx: Context, upload: Upload): Promise<Upload> {
  const { id, sizeBytes, receivedBytes, completedAt } = upload;
  if (receivedBytes < sizeBytes || completedAt !== null) return upload;
  await ctx.blobs.partial.finish(toPartialBlob(upload));
  const now = ctx.clock.now();
  await updateCompleted(ctx.db, id, now);
  return { ...upload, completedAt: now };
}

/**
 * Deletes the files first: a row without files is deleted by the next attempt, but files without a
 * row only much later.
 */
export async function removeHeld(ctx: Context, upload: Upload): Promise<void> {
  const { key, progress } = toPartialBlob(upload);
  await ctx.blobs.partial.remove({ key, progress });
  await deleteUpload(ctx.db, upload.id);
}

function isHopeless(error: unknown): boolean {
  const isRefused = error instanceof DomainError && error.kind === 'invalid';
  return isRefused || error instanceof PartialBlobLostError;
}

async function* whileHeld(
  body: AsyncIterable<Buffer>,
  assertHeld: () => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    assertHeld();
    yield chunk;
  }
}
