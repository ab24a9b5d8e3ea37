/** Pictures: the artwork of podcasts and episodes, and the photos of people. Tables: images. */
export {
  type AttachedImage,
  attachImage,
  attachStoredImage,
  findImage,
  findImageBySource,
  type NewImage,
  prepareImage,
  reuseImageBySource,
  type StoredImage,
  setEpisodeArtwork,
  setHeaderImage,
  setPodcastArtwork,
  storeImage,
  storeImageCopy,
} from './attach-image.ts';
export { detectImageKind } from './detect-image-kind.ts';
export { getMemberImage } from './get-member-image.ts';
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
  needsWideCopy,
  type PreparedImage,
  type VariantBoxPx,
  variantBoxesPx,
  variantSize,
  wideBoxPx,
} from './image.ts';
export { imageFiles, imageKey, imageVariantKey } from './image-keys.ts';
export { purgeImagesJob } from './purge-images.job.ts';
export { maxImageBytes } from './read-image.ts';
