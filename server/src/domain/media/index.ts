/** Owns files: the facts of audio, generated tones, waveforms, and pictures. */

export type { MatchedPart } from './alignment/align-audio.ts';
export {
  attachAudioFile,
  attachExternalAudio,
  attachStoredAudio,
  attachTone,
  authorizeAudio,
  type ExternalAudio,
  findAudio,
  removeAudio,
  type StoredAudio,
  storeAudioBlob,
  storeAudioCopy,
  storeTone,
} from './attach-audio.ts';
export {
  type AttachedImage,
  attachImage,
  attachStoredImage,
  findImage,
  findImageBySource,
  type NewImage,
  type StoredImage,
  setEpisodeArtwork,
  setPodcastArtwork,
  storeImage,
} from './attach-image.ts';
export type { AudioFacts, AudioRefusal } from './audio-facts.ts';
export { detectImageKind } from './detect-image-kind.ts';
export { editChapters } from './edit-chapters.ts';
export { detectExternalType } from './external-type.ts';
export type { FileChapter } from './file-chapters/file-chapter.ts';
export { readFileChapters } from './file-chapters/read-file-chapters.ts';
export { takeFileChapters } from './file-chapters/take-file-chapters.ts';
export {
  artworkWarnings,
  comfortableImageBytes,
  type ImageBoxPx,
  type ImageContentType,
  ImageError,
  type ImageExtension,
  type ImageRefusal,
  type ImageVariant,
  imageBoxesPx,
  type PreparedImage,
  variantSize,
} from './image.ts';
export { audioFiles, imageFiles, imageKey, imageVariantKey } from './image-keys.ts';
export { isAudioBeginning } from './is-audio-beginning.ts';
export { makeTone, type Quietness } from './make-tone.ts';
export type { MediaDelivery, MediaFile, MediaResponse } from './media-response.ts';
export { getMemberAudio, getMemberImage } from './member-media.ts';
export { prepareImage } from './prepare-image.ts';
export { readAudioFacts } from './read-audio-facts.ts';
export { maxImageBytes } from './read-image.ts';
export { type Acceptance, acceptReplacement } from './replacement/accept-replacement.ts';
export {
  alignReplacementsJob,
  purgeReplacementsJob,
} from './replacement/align-replacements.job.ts';
export { cancelReplacement } from './replacement/cancel-replacement.ts';
export { proposeReplacement } from './replacement/propose-replacement.ts';
export { type ReplacementReview, reviewReplacement } from './replacement/review-replacement.ts';
export { storeAndCommit } from './store-and-commit.ts';
export { drawWaveformsJob, purgeWaveformsJob } from './waveforms/draw-waveforms.job.ts';
export { findWaveform } from './waveforms/find-waveform.ts';
export type { Waveform } from './waveforms/waveform.ts';
