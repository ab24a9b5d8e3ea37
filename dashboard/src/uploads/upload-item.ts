import type { ApiError } from '../api/errors.ts';

/** The purpose of a file. */
export type UploadTarget =
  | {
      readonly purpose: 'audio' | 'image' | 'transcript' | 'chapters';
      readonly podcastId: string;
      readonly episodeId: string;
      /** Of a transcript: its language. */
      readonly language?: string;
      /** Audio to compare with the present one, and to accept or not later. */
      readonly isReplacement?: boolean;
    }
  | {
      readonly purpose: 'image';
      readonly podcastId: string;
      readonly episodeId: null;
      /** Whose photo it is; undefined: a picture of the show itself. */
      readonly personId?: string;
      /** It is behind the title on the show's page; undefined: the cover. */
      readonly isHeader?: true;
    };

export function isSameTarget(one: UploadTarget, other: UploadTarget): boolean {
  return (
    one.purpose === other.purpose &&
    one.podcastId === other.podcastId &&
    one.episodeId === other.episodeId &&
    personOf(one) === personOf(other) &&
    isHeader(one) === isHeader(other)
  );
}

export const personOf = (target: UploadTarget): string | undefined =>
  target.episodeId === null ? target.personId : undefined;

const isHeader = (target: UploadTarget) => target.episodeId === null && target.isHeader === true;

export type UploadState =
  /** Waits for earlier uploads. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  /** Continues automatically when the connection is back, or the person has signed in. */
  | { readonly kind: 'paused'; readonly reason: 'connection' | 'signed_out' }
  /** The page was reloaded, so the browser has lost the file. */
  | { readonly kind: 'file_needed' }
  /** All bytes have arrived; the server checks them. */
  | { readonly kind: 'checking' }
  | { readonly kind: 'ready'; readonly result: UploadResult }
  | { readonly kind: 'failed'; readonly error: ApiError };

export interface UploadResult {
  /** Undefined: an earlier request had set it, and its response was lost. */
  readonly revision: number | undefined;
  readonly uploadId: string;
  /** The parts of a transcript or of chapters that could not be used. */
  readonly leftOut?: { readonly count: number; readonly examples: readonly string[] } | undefined;
}

/** One file, as the app shows it. */
export interface UploadItem {
  readonly id: string;
  readonly target: UploadTarget;
  readonly filename: string;
  readonly sizeBytes: number;
  /** Under way or received. */
  readonly sentBytes: number;
  readonly state: UploadState;
}

/** The data that survive a reload. */
export interface StoredUpload {
  readonly id: string;
  readonly userId: string;
  readonly target: UploadTarget;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly fingerprint: string;
  /** Its address on the server; null: it has none yet. */
  readonly url: string | null;
  readonly sentBytes: number;
  /** Null: not all bytes were received yet. */
  readonly sha256: string | null;
}

export const idOfUrl = (url: string): string => url.split('/').at(-1) ?? '';
