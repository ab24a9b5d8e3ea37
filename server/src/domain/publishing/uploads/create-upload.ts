import { audioFileGibibytes } from '../../../lib/limits.ts';
import { lockUser } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { type UploadPurpose, uploadPurposes } from '../../foundation/enumerations.ts';
import { DomainError, type ErrorDetail } from '../../foundation/errors.ts';
import { type FileFamily, findByIds } from '../../foundation/file-family.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { requireStorage, requireWritten } from '../../foundation/storage/index.ts';
import { authorizeAudio } from '../audio/index.ts';
import { maxImageBytes } from '../images/index.ts';
import { countedPurposes, expiryOf, type UploadMetadata, uploadKey } from './upload.ts';
import {
  insertUpload,
  lockRoom,
  selectKnownUploadIds,
  sumPromised,
  sumUploads,
} from './uploads.sql.ts';

/**
 * The bytes of uploads. If the row ends with its episode, podcast or member, a trigger notes the file
 * for the sweep.
 */
export const uploadFiles: FileFamily = {
  folder: 'uploads',
  keyForm: /^uploads\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.[0-9a-f-]{36})?$/,
  findNamed: findByIds(selectKnownUploadIds),
};

export interface NewUpload {
  readonly id: string;
  readonly purpose: UploadPurpose;
  readonly podcastId: string;
  readonly episodeId: string | undefined;
  /**
   * The person whose photo it becomes. Not stored, because the request that uses the upload names
   * the person again.
   */
  readonly personId?: string | undefined;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string | undefined;
  readonly metadata?: UploadMetadata;
}

const maxFilenameLength = 255;

/**
 * Begins an upload. Everything that can be refused before the first byte is refused here. It counts as
 * storage of the account, for its owner from now on, for other members as its bytes arrive. Fails like
 * a full disk if the store has no room. Resolves to its expiry if no bytes arrive.
 */
export async function createUpload(ctx: Context, input: NewUpload): Promise<Date> {
  const userId = requireUser(ctx);
  const { podcastId, episodeId, personId, purpose } = input;
  const ofShow = personId === undefined ? 'podcast.edit' : 'people.edit';
  if (episodeId === undefined) await authorize(ctx, ofShow, { podcastId });
  else await authorize(ctx, 'episode.edit', { podcastId, episodeId });
  if (purpose === 'audio' && episodeId !== undefined) await authorizeAudio(ctx, episodeId);
  refuseWrong(input);
  const { id, sizeBytes, filename } = input;
  const now = ctx.clock.now();
  const expiresAt = expiryOf(now, now);
  await requireShare(ctx, userId, sizeBytes);
  const key = uploadKey(id);
  const progress = await ctx.blobs.partial.begin(key, sizeBytes);
  try {
    await transact(ctx, async (tx) => {
      await lockUser(tx, userId);
      await requireShare(tx, userId, sizeBytes);
      if (countedPurposes.includes(purpose)) {
        await requireStorage(tx, podcastId, { bytes: sizeBytes });
      } else await requireWritten(tx, podcastId, sizeBytes);
      await lockRoom(tx.db);
      await tx.blobs.partial.requireRoom(sizeBytes + (await sumPromised(tx.db, now)));
      await insertUpload(tx.db, {
        ...{ id, userId, purpose, podcastId, episodeId: episodeId ?? null },
        ...{ filename: filename.slice(0, maxFilenameLength), sizeBytes },
        ...{
          sha256: input.sha256 ?? null,
          metadata: input.metadata ?? {},
          storeState: progress.state,
          createdAt: now,
          expiresAt,
        },
      });
    });
  } catch (error) {
    // The first error says more. The store forgets an upload that nobody continues.
    await ctx.blobs.partial.remove({ key, progress }).catch((err: unknown) => {
      ctx.log.warn({ err }, 'an upload that did not begin was not removed');
    });
    throw error;
  }
  return expiresAt;
}

function refuseWrong({ purpose, episodeId, sizeBytes, sha256 }: NewUpload): void {
  const details: ErrorDetail[] = [];
  const most = maxUploadBytes[purpose];
  if (sizeBytes < 1) details.push({ field: 'size_bytes', ...sayRefusal('file_empty') });
  if (sizeBytes > most) {
    const said = sayRefusal('file_too_large', { size: describeUploadLimit(most) });
    details.push({ field: 'size_bytes', ...said, reason: 'too_large' });
  }
  if (!uploadPurposes.includes(purpose)) {
    const message = `This must be one of ${uploadPurposes.join(', ')}.`;
    details.push({ field: 'purpose', message });
  }
  if (episodeId === undefined && purpose !== 'image') {
    details.push({ field: 'episode_id', message: 'This is required: the file is for an episode.' });
  }
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) {
    details.push({ field: 'sha256', message: 'This must be 64 hexadecimal digits.' });
  }
  const [first] = details;
  if (first !== undefined) throw new DomainError('invalid', first.message, { details });
}

async function requireShare(ctx: Context, userId: string, bytes: number): Promise<void> {
  const sum = await sumUploads(ctx.db, userId);
  if (sum.count < maxUploads && sum.bytes + bytes <= maxUploadsBytes) return;
  const size = describeUploadLimit(maxUploadsBytes);
  throw new DomainError('rate_limited', sayRefusal('upload_share', { files: maxUploads, size }), {
    retryAfterSeconds: 60,
  });
}

const mb = 1024 * 1024;

const maxUploadBytes: Readonly<Record<UploadPurpose, number>> = {
  audio: audioFileGibibytes * 1024 * mb,
  image: maxImageBytes,
  transcript: 10 * mb,
  chapters: mb,
};

/** The limits of one user, for files that are not part of a podcast yet. */
const maxUploads = 30;
const maxUploadsBytes = 10 * 1024 * mb;

/** For people: 25 MB, 2 GB. */
function describeUploadLimit(bytes: number): string {
  return bytes >= 1024 * mb ? `${bytes / 1024 / mb} GB` : `${bytes / mb} MB`;
}
