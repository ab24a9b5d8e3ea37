/**
 * Podcasts, the slugs they have and had, their members and what each role may do.
 * Tables: podcasts, podcast_slugs, podcast_members.
 */
export { addMember, checkMember, type NewMember } from './add-member.ts';
export {
  activatePodcast,
  pausePodcast,
  resumePodcast,
  suspendPodcast,
} from './change-status.ts';
export { checkNewPodcast, createPodcast, type NewPodcast } from './create-podcast.ts';
export {
  findPodcastByGuid,
  getPodcastBySlug,
  isSlugTaken,
} from './find-podcast.ts';
export {
  type HostingType,
  hostingTypes,
  type PlayerTheme,
  type Podcast,
  type PodcastFields,
  type PodcastStatus,
  playerThemes,
  podcastStatuses,
  type ShowType,
} from './podcast.ts';
export { lockPodcast } from './podcasts.sql.ts';
export { requireCapability } from './require-capability.ts';
export { type Capability, type Role, roles } from './roles.ts';
export { getPodcast, updatePodcast } from './update-podcast.ts';
