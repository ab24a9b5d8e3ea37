/** What has revisions. */
export type Subject = { readonly podcastId: string } | { readonly episodeId: string };

/** The last argument of verbs that change a podcast or an episode. */
export interface Expectation {
  /** The revision that the caller has seen; undefined: overwrites any. */
  readonly expected?: number | undefined;
}

/** One change of a subject. */
export interface Revision {
  readonly revision: number;
  readonly fields: readonly string[];
  /** The user's name; null: the operator, the service or a deleted user. */
  readonly by: string | null;
  readonly at: Date;
}

/** The number of revisions that are stored for each subject. */
export const keptRevisions = 100;
