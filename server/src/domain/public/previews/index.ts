/** Secret addresses at which anybody reads an episode before it is public. Table: preview_links. */
export { createPreviewLink, findPreviewLink, revokePreviewLink } from './change-preview-link.ts';
export {
  getPreviewAudio,
  getPreviewedEpisode,
  getPreviewImage,
  openPreview,
} from './open-preview.ts';
export { purgePreviewsJob } from './purge-previews.job.ts';
