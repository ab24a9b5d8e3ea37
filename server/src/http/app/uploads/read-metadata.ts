import { type UploadPurpose, uploadPurposes } from '../../../domain/foundation/enumerations.ts';
import { DomainError, type ErrorDetail } from '../../../domain/foundation/errors.ts';
import type { NewUpload, UploadMetadata } from '../../../domain/publishing/uploads/index.ts';
import { isUuid } from '../../../lib/uuid.ts';

/** Reads the data of a new upload from `Upload-Metadata`. */
export function readMetadata(metadata: UploadMetadata): Omit<NewUpload, 'id' | 'sizeBytes'> {
  const { purpose, podcast_id, episode_id, person_id, filename, sha256 } = metadata;
  const details: ErrorDetail[] = [];
  const refuse = (field: string, message: string) => details.push({ field, message });
  if (!isPurpose(purpose)) refuse('purpose', `This must be one of ${uploadPurposes.join(', ')}.`);
  if (!isUuid(podcast_id ?? '')) refuse('podcast_id', 'This must be a UUID.');
  if (episode_id != null && !isUuid(episode_id)) refuse('episode_id', 'This must be a UUID.');
  if (person_id != null && !isUuid(person_id)) refuse('person_id', 'This must be a UUID.');
  const isNamed = filename != null && filename !== '' && !filename.includes('\0');
  if (!isNamed) refuse('filename', 'This is required.');
  if (details.length > 0 || !isPurpose(purpose)) {
    throw new DomainError('invalid', 'The upload was not begun.', { details });
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
