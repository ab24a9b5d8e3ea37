import type { UtcDay } from '../../../lib/utc-day.ts';
import type { SuspensionCause } from '../../foundation/enumerations.ts';
import type { Membership } from '../../foundation/relation.ts';
import type { Podcast } from './podcast.ts';
import type { PodcastRights } from './podcast-rights.ts';

/** A podcast that a user works on, and their role there. */
export type MyPodcast = Pick<
  Podcast,
  'id' | 'slug' | 'title' | 'status' | 'hostingType' | 'timezone' | 'teamKeys' | 'createdAt'
> & {
  readonly membership: Membership;
  /** The user owns it: it uses the plan of their account. */
  readonly isOwn: boolean;
  readonly may: PodcastRights;
  /** Null: the show is not suspended. */
  readonly suspendedFor: SuspensionCause | null;
  /** When the service ends the suspension, if nothing ends it before; null: the service does not. */
  readonly suspensionEndsOn: UtcDay | null;
};

/** The last podcast of a page; lists show the oldest first. */
export type PodcastPosition = Pick<Podcast, 'id' | 'createdAt'>;

export interface MyPodcastsQuery {
  readonly limit: number;
  readonly after?: PodcastPosition | undefined;
  /** Lists only these podcasts, named by id or current slug. */
  readonly refs?: readonly string[] | undefined;
  /** Lists only podcasts whose title or slug contains this, in any case. */
  readonly title?: string | undefined;
}

export type ListedPodcast = Pick<Podcast, 'id' | 'slug' | 'title' | 'status' | 'createdAt'> & {
  readonly ownerEmail: string;
};

export interface PodcastListQuery {
  readonly limit: number;
  readonly after?: PodcastPosition | undefined;
  /** Lists only this user's podcasts. */
  readonly ownerId?: string | undefined;
}
