/** Secret addresses at which anybody reads an episode before it is public. Table: preview_links. */
export {
  createPreviewLink,
  findPreviewLink,
  getPreviewAudio,
  getPreviewedEpisode,
  getPreviewImage,
  openPreview,
  revokePreviewLink,
} from './preview-links.ts';
export { purgePreviewsJob } from './purge-previews.job.ts';
