import type { Membership, Podcast } from '../podcasts/index.ts';

/** A podcast as whoever reads it with a key sees it. */
export type ReachedPodcast = Pick<
  Podcast,
  'id' | 'slug' | 'title' | 'status' | 'hostingType' | 'timezone' | 'createdAt'
> & { readonly membership: Membership };
