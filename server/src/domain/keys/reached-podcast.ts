import type { MemberRole } from '../permissions/index.ts';
import type { Podcast } from '../podcasts/index.ts';

/** A podcast as a key's reader sees it. */
export type ReachedPodcast = Pick<
  Podcast,
  'id' | 'slug' | 'title' | 'status' | 'hostingType' | 'timezone' | 'createdAt'
> & { readonly membership: MemberRole };
