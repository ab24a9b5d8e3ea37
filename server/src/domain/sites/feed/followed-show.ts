import { createHash } from 'node:crypto';
import type { Installation } from '../../context.ts';
import { type Membership, seesAllEpisodes } from '../../permissions/index.ts';
import { type ShowFacts, type ShowStanding, standingOf } from '../show-standing.ts';

/** A show that a site may read or has read: the facts of this moment, and what was compared. */
export interface FollowedShow extends Omit<ShowFacts, 'isMember'> {
  readonly podcastId: string;
  /** Of the site's user; undefined: no member. */
  readonly membership: Membership | undefined;
  /**
   * The lowest position from which a page left out contents of the show, because its plan or its
   * owner kept them back; null: none did.
   */
  readonly withheldAfter: number | null;
  /** Undefined: the show is new to the site. */
  readonly compared: Comparison | undefined;
  /** The time at which the next comparison looks; see `moment` in followed-shows.sql.ts. */
  readonly moment: string;
  /** Episodes, and perhaps the podcast itself, that changed since the last comparison. */
  readonly changed: readonly string[];
  /** Episodes that have become public since, or are public no more because the clock was set back. */
  readonly due: readonly string[];
}

/** What the site's changes contain of a show. */
export interface Comparison {
  /** All content committed in this snapshot; null: of another server. */
  readonly snapshot: string | null;
  /** All that was public at this time. */
  readonly asOf: string | null;
  /** See `settingsOf` and `hashCommon`; null: nothing can be said. */
  readonly commonHash: string | null;
  /** While all episodes are compared: the last one; null: all are. */
  readonly scanned: ScanPosition | null;
}

export interface ScanPosition {
  readonly time: string;
  readonly id: string;
}

/**
 * gone: deleted. lost: the site may not read it any more. withheld: nothing new, and pages leave out
 * its contents. waiting: nothing new; what was told stays readable. live: the site follows it.
 */
export type ShowState = 'gone' | 'lost' | 'withheld' | 'waiting' | 'live';

const states: Readonly<Record<ShowStanding, ShowState>> = {
  deleted: 'gone',
  cut_off: 'lost',
  left: 'lost',
  no_plan: 'withheld',
  no_team_keys: 'withheld',
  silent: 'waiting',
  read: 'live',
};

export function stateOf(show: Omit<ShowFacts, 'isMember'> & Pick<FollowedShow, 'membership'>) {
  return states[standingOf({ ...show, isMember: show.membership !== undefined })];
}

/** The user whose credits decide what a co-host sees; undefined for members who see all. */
export function creditedUserOf(
  { membership }: Pick<FollowedShow, 'membership'>,
  userId: string,
): string | undefined {
  return membership !== undefined && seesAllEpisodes(membership) ? undefined : userId;
}

/** Raise it when the same rows give another SiteEpisode: every site is then told what changed. */
const contentVersion = 1;

/** The part of `commonHash` that is known without reading the podcast. */
export function settingsOf(
  { baseUrl, embedUrl }: Pick<Installation, 'baseUrl' | 'embedUrl'>,
  site: { readonly userId: string; readonly transcripts: boolean },
  show: Pick<FollowedShow, 'membership'>,
): string {
  const creditedUserId = creditedUserOf(show, site.userId) ?? null;
  return shortHash([contentVersion, baseUrl, embedUrl, site.transcripts, creditedUserId]);
}

export function shortHash(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22);
}
