import {
  type BlobProgress,
  PartialBlobLostError,
} from '../../../platform/blob-store/partial-blobs.ts';
import { type Context, transact } from '../../foundation/context.ts';
import type { UploadPurpose } from '../../foundation/enumerations.ts';
import { DomainError, invalid, notFound } from '../../foundation/errors.ts';
import { isOfAccount, requireStorage } from '../../foundation/storage/index.ts';
import { isAudioBeginning } from '../audio/index.ts';
import { detectImageKind, ImageError } from '../images/index.ts';
import { getUpload } from './find-upload.ts';
import { countedPurposes, expiryOf, toPartialBlob, type Upload } from './upload.ts';
import {
  deleteUpload,
  selectKnownUploadIds,
  updateCompleted,
  updateReceived,
} from './uploads.sql.ts';
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
 * Throws, and removes the upload, if its first bytes show that it is another kind of file, or if it was
 * counted as its bytes arrived and others have used up the storage since this request began. Also throws
 * if the storage has no room for the rest then; what has arrived is kept. Resolves to the changed upload.
 */
export async function appendToUpload(
  ctx: Context,
  { writer, upload: opened, assertHeld }: Writing,
  body: AsyncIterable<Buffer>,
): Promise<Upload> {
  let upload = opened;
  const isCounted = await isCountedAsItArrives(ctx, opened);
  const bytes = opened.sizeBytes - opened.receivedBytes;
  if (isCounted && bytes > 0) await requireStorage(ctx, opened.podcastId, { bytes });
  const record = async (progress: BlobProgress) => {
    assertHeld();
    const expiresAt = expiryOf(upload.createdAt, ctx.clock.now());
    upload = await transact(ctx, async (tx) => {
      const changed = await updateReceived(tx.db, upload.id, writer, { progress, expiresAt });
      if (changed === undefined) throw new WriterLostError();
      const added = { bytes: changed.receivedBytes - upload.receivedBytes, areCounted: true };
      if (isCounted) await requireStorage(tx, upload.podcastId, added);
      return changed;
    });
  };
  try {
    const guarded = whileHeld(refuseOtherContent(opened, body), assertHeld);
    await ctx.blobs.partial.append({ ...toPartialBlob(opened), body: guarded, record });
  } catch (error) {
    if (isHopeless(error)) await removeHeld(ctx, upload);
    else if (error instanceof WriterLostError) await removeEnded(ctx, upload);
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

/**
 * Deletes the files if the row has ended with its episode, podcast or member: bytes that were written
 * since the last record are counted nowhere.
 */
async function removeEnded(ctx: Context, upload: Upload): Promise<void> {
  if ((await selectKnownUploadIds(ctx.db, [upload.id])).length > 0) return;
  const { key, progress } = toPartialBlob(upload);
  await ctx.blobs.partial.remove({ key, progress });
}

/** What the owner sends is counted from its beginning. */
async function isCountedAsItArrives(
  { db }: Context,
  { purpose, podcastId, userId }: Upload,
): Promise<boolean> {
  return countedPurposes.includes(purpose) && !(await isOfAccount(db, podcastId, userId));
}

/** The file may have bytes that are not recorded, so one that is refused is not kept. */
function isHopeless(error: unknown): boolean {
  const refusals = ['invalid', 'plan_upgrade_required'];
  const isRefused = error instanceof DomainError && refusals.includes(error.kind);
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

/** Enough bytes to recognize every format: two frames of audio after some padding. */
const headBytes = 16_384;

/**
 * Passes the bytes on if the first ones are of an accepted kind; otherwise throws before that. A
 * body that continues an upload is passed on unchecked.
 */
async function* refuseOtherContent(
  { purpose, receivedBytes, sizeBytes }: Pick<Upload, 'purpose' | 'receivedBytes' | 'sizeBytes'>,
  body: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const wanted = receivedBytes === 0 ? Math.min(headBytes, sizeBytes) : 0;
  const waiting: Buffer[] = [];
  let length = 0;
  let isChecked = wanted === 0;
  for await (const chunk of body) {
    if (isChecked) {
      yield chunk;
      continue;
    }
    waiting.push(chunk);
    length += chunk.length;
    if (length < wanted) continue;
    refuse(purpose, Buffer.concat(waiting).subarray(0, headBytes));
    isChecked = true;
    yield* waiting.splice(0);
  }
  // The first piece is too small to tell. The whole file is checked before it is used anyway.
  yield* waiting;
}

function refuse(purpose: UploadPurpose, head: Buffer): void {
  const problem = problems[purpose](head);
  if (problem !== undefined) throw invalid('file', problem, 'wrong_type');
}

const problems: Readonly<Record<UploadPurpose, (head: Buffer) => string | undefined>> = {
  audio: (head) =>
    isAudioBeginning(head)
      ? undefined
      : 'This is not an audio file that Podstead knows: MP3, M4A, AAC, Ogg, Opus, FLAC or WAV.',
  image(head) {
    try {
      detectImageKind(head);
      return undefined;
    } catch (error) {
      if (error instanceof ImageError) return error.message;
      throw error;
    }
  },
  transcript: (head) =>
    textProblem(head, 'transcript: WebVTT, SRT, TTML, JSON, HTML, plain text and others'),
  chapters: (head) => textProblem(head, 'chapter file: JSON, a list of times and titles, or PSC'),
};

/** UTF-16 has zeros, and a byte order mark before them. */
function textProblem(head: Buffer, what: string): string | undefined {
  const isUtf16 = head[0] === 0xff ? head[1] === 0xfe : head[0] === 0xfe && head[1] === 0xff;
  return head.includes(0) && !isUtf16 ? `This is not a ${what}.` : undefined;
}

/** Cancels an upload and removes its bytes. A request that is still sending bytes is ended. */
export async function removeUpload(ctx: Context, uploadId: string): Promise<void> {
  await getUpload(ctx, uploadId);
  await using writing = await claimWriter(ctx, uploadId);
  await removeHeld(ctx, writing.upload);
}
