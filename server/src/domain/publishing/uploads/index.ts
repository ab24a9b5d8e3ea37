/**
 * Uploads from browsers: begun, continued after interruptions, checked, and made part of a podcast
 * or removed. Table: uploads.
 */
export { appendToUpload, openUpload, removeUpload } from './append-to-upload.ts';
export { createUpload, type NewUpload, uploadFiles } from './create-upload.ts';
export { getUpload, listUploads } from './find-upload.ts';
export { purgeUploadsJob } from './purge-uploads.job.ts';
export type { Upload, UploadMetadata } from './upload.ts';
export { proposeAudioUpload, useAudioUpload } from './use-audio-upload.ts';
export {
  useEpisodeArtwork,
  useHeaderImage,
  usePersonPhoto,
  usePodcastArtwork,
} from './use-image-upload.ts';
export { useChaptersUpload, useTranscriptUpload } from './use-text-uploads.ts';
export type { Writing } from './writer.ts';
