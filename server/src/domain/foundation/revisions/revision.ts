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
  readonly userId: string | null;
  readonly at: Date;
}

/** The number of revisions that are stored for each subject. */
export const keptRevisions = 100;

export interface FieldChange extends Pick<Revision, 'by' | 'userId' | 'at'> {
  readonly field: string;
}

/** The last change of each field. */
export function lastChanges(newestFirst: readonly Revision[]): FieldChange[] {
  const changes = new Map<string, FieldChange>();
  for (const { fields, by, userId, at } of newestFirst) {
    for (const field of fields) {
      if (!changes.has(field)) changes.set(field, { field, by, userId, at });
    }
  }
  return [...changes.values()];
}
