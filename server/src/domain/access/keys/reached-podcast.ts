import type { MemberRole } from '../../foundation/permissions/index.ts';
import type { Podcast } from '../../publishing/podcasts/index.ts';

/** A podcast as a key's reader sees it. */
export type ReachedPodcast = Pick<
  Podcast,
  'id' | 'slug' | 'title' | 'status' | 'hostingType' | 'timezone' | 'createdAt'
> & { readonly membership: MemberRole };
