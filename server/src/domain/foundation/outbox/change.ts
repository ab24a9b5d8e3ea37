/**
 * What has changed. A scheduled episode that becomes public is not a change: nothing is written then.
 */
export type Change =
  | {
      readonly kind:
        | 'podcast.created'
        | 'podcast.changed' // its fields, images, credited people
        | 'podcast.status_changed'
        | 'podcast.deleted'
        | 'import.finished'; // into this podcast
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
      /** All podcasts of the account: the plan is visible on them. */
      readonly podcastIds: readonly string[];
    };

export type ChangeKind = Change['kind'];

/** A change as consumers read it; fields that do not apply to its kind are null. */
export interface ChangeEvent {
  /** Ascending, without gaps. */
  readonly seq: number;
  readonly kind: ChangeKind;
  readonly podcastId: string | null;
  readonly episodeId: string | null;
  readonly userId: string | null;
  readonly previousUserId: string | null;
  readonly accountId: string | null;
  /** The user who made the change; null: the operator or the service. */
  readonly actorUserId: string | null;
  readonly createdAt: Date;
}
