import type { PodcastStatus, SuspensionCause } from '../../foundation/enumerations.ts';
import type { MemberRole } from '../../foundation/permissions/index.ts';
import type { Podcast } from './podcast.ts';
import type { PodcastRights } from './podcast-rights.ts';

/** A podcast as its members see and edit it. */
export interface PodcastSettings extends Podcast {
  readonly artwork: Artwork | null;
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
