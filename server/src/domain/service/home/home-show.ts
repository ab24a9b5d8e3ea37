import type { UtcDay } from '../../../lib/utc-day.ts';
import type { EpisodeStatus, SuspensionCause } from '../../foundation/enumerations.ts';
import type { MemberRole } from '../../foundation/permissions/index.ts';
import type { ImageRef } from '../../public/catalogue/index.ts';
import type { Podcast } from '../../publishing/podcasts/index.ts';
import type { ShowNeed } from './show-needs.ts';

/** A show on the first page of somebody who works on it. Drafts they may not see do not count. */
export interface HomeShow
  extends Pick<
      Podcast,
      'id' | 'slug' | 'title' | 'status' | 'hostingType' | 'timezone' | 'createdAt'
    >,
    MemberRole {
  readonly artwork: ImageRef | null;
  /** Null: the show is not suspended. */
  readonly suspendedFor: SuspensionCause | null;
  readonly nextScheduled: ScheduledEpisode | null;
  readonly latest: LatestEpisode | null;
  /** Null: the role does not include analytics, or nothing is counted here. */
  readonly downloads7d: WeekOfDownloads | null;
  readonly episodeCounts: Readonly<Record<EpisodeStatus, number>>;
  readonly needs: readonly ShowNeed[];
}

export interface ScheduledEpisode {
  readonly id: string;
  readonly title: string;
  readonly scheduledFor: Date;
}

export interface LatestEpisode {
  readonly id: string;
  readonly title: string;
  readonly publishedAt: Date;
}

/** Seven whole days, until yesterday (UTC), and the seven before them: both are complete. */
export interface WeekOfDownloads {
  readonly from: UtcDay;
  readonly to: UtcDay;
  readonly total: number;
  readonly previous: number;
}
