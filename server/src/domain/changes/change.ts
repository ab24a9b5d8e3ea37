/**
 * What has changed, as who made the change says it. That an episode's time has come is no change:
 * nothing is written then.
 */
export type Change =
  | {
      readonly kind:
        | 'podcast.created'
        | 'podcast.changed' // its fields, its pictures, the people it names
        | 'podcast.status_changed'
        | 'podcast.deleted';
      readonly podcastId: string;
    }
  | {
      readonly kind:
        | 'episode.created'
        | 'episode.changed' // and its audio, credits, transcript, chapters
        | 'episode.status_changed'
        | 'episode.deleted';
      readonly podcastId: string;
      readonly episodeId: string;
    }
  | {
      readonly kind: 'membership.added' | 'membership.changed' | 'membership.removed';
      readonly podcastId: string;
      readonly userId: string;
    }
  | {
      readonly kind: 'ownership.changed';
      readonly podcastId: string;
      /** The new owner. */
      readonly userId: string;
      readonly previousUserId: string;
    }
  | {
      readonly kind: 'plan.changed';
      readonly accountId: string;
      /** All that stand in the account: the public sees the plan in them. */
      readonly podcastIds: readonly string[];
    };

export type ChangeKind = Change['kind'];

/** A change as consumers read it; what does not belong to its kind is null. */
export interface ChangeEvent {
  /** Ascending without a gap. */
  readonly seq: number;
  readonly kind: ChangeKind;
  readonly podcastId: string | null;
  readonly episodeId: string | null;
  readonly userId: string | null;
  readonly previousUserId: string | null;
  readonly accountId: string | null;
  /** The user who did it; null: the operator, or the service itself. */
  readonly actorUserId: string | null;
  readonly createdAt: Date;
}
