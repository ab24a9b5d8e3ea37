/** Makes a show from its export, here or from elsewhere. Owns no table. */
export { type RestoredPodcast, restorePodcast } from './restore-podcast.ts';
