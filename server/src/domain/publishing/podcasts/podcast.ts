import type { FieldValues } from '../../../lib/fields/field.ts';
import type { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import type { UtcDay } from '../../../lib/utc-day.ts';
import type { PodcastStatus, SuspensionCause } from '../../foundation/enumerations.ts';
import type { MemberRole } from '../../foundation/permissions/index.ts';
import type { Membership } from '../../foundation/relation.ts';
import type { ExtraElement } from './extra-element.ts';
import type { PodcastRights } from './podcast-rights.ts';

const singleMediums = [
  'podcast',
  'music',
  'video',
  'film',
  'audiobook',
  'newsletter',
  'blog',
  'publisher',
  'course',
] as const;
/** The words of podcast:medium; with an `L` a list of that medium. A feed may bring others. */
export const mediums: readonly string[] = [
  ...singleMediums,
  'mixed',
  ...singleMediums.map((medium) => `${medium}L`),
];

/** The fields of a podcast that somebody sets: its members, and an import those that only a feed has. */
export interface PodcastFields extends FieldValues<typeof podcastFields> {
  readonly extraElements: readonly ExtraElement[];
}

export interface Podcast extends PodcastFields {
  readonly id: string;
  readonly accountId: string;
  readonly guid: string;
  /** Its own domain, if that is verified. */
  readonly domain: string | null;
  readonly status: PodcastStatus;
  readonly artworkId: string | null;
  /** The picture behind the title on its page. */
  readonly headerImageId: string | null;
  readonly createdAt: Date;
  /** Counts the changes of what members edit. */
  readonly revision: number;
}

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

/** A podcast as its members see and edit it. */
export interface PodcastSettings extends Podcast {
  readonly artwork: Artwork | null;
  readonly headerImage: Artwork | null;
  /** Oldest first. */
  readonly previousSlugs: readonly string[];
  /** The plan shows the "powered by" line, whatever the setting says. */
  readonly alwaysPoweredBy: boolean;
  /** Of the account that owns the podcast. */
  readonly plan: string;
  /** Null: the podcast is not suspended. */
  readonly suspendedFor: SuspensionCause | null;
  readonly membership: MemberRole;
  readonly may: PodcastRights;
  /** The statuses to which the caller may set the podcast. */
  readonly mayBecome: readonly PodcastStatus[];
}

export interface Artwork {
  readonly id: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Its main color, `#rrggbb`; null: that is gray. */
  readonly color: string | null;
}
