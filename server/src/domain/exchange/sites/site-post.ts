/** The state of an episode's post on a site. */
export const postStates = ['queued', 'scheduled', 'published', 'draft', 'trashed'] as const;
export type PostState = (typeof postStates)[number];

export interface PostReport {
  readonly episodeId: string;
  readonly postUrl: string;
  readonly state: PostState;
  readonly wpPostId: number;
  /** The hash of the change that the post shows; undefined: not reported. */
  readonly contentHash: string | undefined;
}

/** The last report of a post. */
export interface SitePost {
  readonly episodeId: string;
  readonly postUrl: string;
  readonly state: PostState;
  readonly wpPostId: number;
  readonly contentHash: string | null;
  /** True if the hash is that of the newest change of the episode in the site's feed. */
  readonly isUpToDate: boolean;
  readonly reportedAt: Date;
}
