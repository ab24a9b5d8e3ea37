import type { UploadPurpose } from '../../foundation/enumerations.ts';
import { maxImageBytes } from '../images/index.ts';

const mb = 1024 * 1024;

export const maxUploadBytes: Readonly<Record<UploadPurpose, number>> = {
  audio: 2048 * mb,
  image: maxImageBytes,
  transcript: 10 * mb,
  chapters: mb,
};

/** The limits of one user, for files that are not part of a podcast yet. */
export const maxUploads = 30;
export const maxUploadsBytes = 10 * 1024 * mb;

/** For people: 25 MB, 2 GB. */
export function describeUploadLimit(bytes: number): string {
  return bytes >= 1024 * mb ? `${bytes / 1024 / mb} GB` : `${bytes / mb} MB`;
}
