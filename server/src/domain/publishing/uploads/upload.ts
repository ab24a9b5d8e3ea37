import type { PartialBlob } from '../../../platform/blob-store/partial-blobs.ts';
import type { UploadPurpose } from '../../foundation/enumerations.ts';

/** Those of which the storage of a plan is used. Texts become rows, which `limitTexts` counts. */
export const countedPurposes: readonly UploadPurpose[] = ['audio', 'image'];

/** What a client says of its file, by names of its choice; null is a name without a value. */
export type UploadMetadata = Readonly<Record<string, string | null>>;

/** A file that is being uploaded, or that has arrived and is not part of a podcast yet. */
export interface Upload {
  readonly id: string;
  readonly userId: string;
  readonly purpose: UploadPurpose;
  readonly podcastId: string;
  /** Null: for the podcast itself. */
  readonly episodeId: string | null;
  readonly filename: string;
  readonly sizeBytes: number;
  /** The sender's description of the whole file. */
  readonly sha256: string | null;
  /** As the client sent it, for its own use. */
  readonly metadata: UploadMetadata;
  readonly receivedBytes: number;
  readonly storeState: string;
  /** When all bytes had arrived. */
  readonly completedAt: Date | null;
  /** When it became part of the podcast. */
  readonly usedAt: Date | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const dayMs = 24 * 3_600_000;
/** Shorter than the week after which the store drops unfinished files. */
const longestMs = 6 * dayMs;

/** A day after the last bytes, but at most six days after the beginning. */
export function expiryOf(createdAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + dayMs, createdAt.getTime() + longestMs));
}

/**
 * The disk keeps so much for an upload that has sent nothing. More would let a few users who only announce
 * files keep everybody else out.
 */
export const promisedBytes = 16 * 1024 * 1024;

/**
 * An upload that sends nothing for this long loses the room that the disk keeps for it. If it goes on,
 * there may be none, and it fails then.
 */
const silentAfterMs = 15 * 60_000;

/** Uploads that expire later than this are not silent. */
export function silentExpiry(now: Date): Date {
  return new Date(now.getTime() - silentAfterMs + dayMs);
}

export function uploadKey(uploadId: string): string {
  return `uploads/${uploadId.toLowerCase()}`;
}

export function toPartialBlob(upload: Upload): PartialBlob {
  const { id, sizeBytes: totalBytes, receivedBytes: sizeBytes, storeState: state } = upload;
  return { key: uploadKey(id), totalBytes, progress: { sizeBytes, state } };
}
