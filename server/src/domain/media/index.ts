/** Owns what files are: the facts of audio, tones made to order, waveforms, and pictures made ready. */
export {
  attachAudioFile,
  attachExternalAudio,
  attachStoredAudio,
  attachTone,
  type ExternalAudio,
  findAudio,
  removeAudio,
  type StoredAudio,
  storeAudioCopy,
  storeTone,
} from './attach-audio.ts';
export {
  type AttachedImage,
  attachImage,
  findImage,
  findImageBySource,
  type NewImage,
  setEpisodeArtwork,
  setPodcastArtwork,
} from './attach-image.ts';
export { AudioError, type AudioFacts, type AudioRefusal } from './audio-facts.ts';
export { deleteEpisode } from './delete-episode.ts';
export { type DeletedPodcast, deletePodcast } from './delete-podcast.ts';
export { tellExternalType } from './external-type.ts';
export { audioFiles, imageFiles } from './file-families.ts';
export {
  artworkWarnings,
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
export { imageKey, imageVariantKey } from './image-keys.ts';
export { makeTone, type Quietness } from './make-tone.ts';
export type { MediaDelivery, MediaFile, MediaResponse } from './media-response.ts';
export { maxImageBytes, prepareImage } from './read-image.ts';
export { storeAndCommit } from './store-and-commit.ts';
export { drawWaveformsJob, purgeWaveformsJob } from './waveforms/draw-waveforms.job.ts';
export { findWaveform } from './waveforms/find-waveform.ts';
export type { Waveform } from './waveforms/waveform.ts';
