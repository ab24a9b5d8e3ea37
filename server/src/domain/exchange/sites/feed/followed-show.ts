import { createHash } from 'node:crypto';
import type { Installation } from '../../../foundation/context.ts';
import { seesAllEpisodes } from '../../../foundation/permissions/index.ts';
import type { Membership } from '../../../foundation/relation.ts';
import { type ShowAccess, type ShowFacts, showAccessOf } from '../listed-site.ts';

/** A show that a site may read or has read: its present facts, and the state of the comparison. */
export interface FollowedShow extends Omit<ShowFacts, 'isMember'> {
  readonly podcastId: string;
  /** The membership of the site's user; undefined: no member. */
  readonly membership: Membership | undefined;
  /**
   * The lowest position after which a page left out contents of the show, because of its plan or
   * its owner; null: none did.
   */
  readonly withheldAfter: number | null;
  /** Undefined: the show is new to the site. */
  readonly compared: Comparison | undefined;
  /** The time for the next comparison; see `moment` in followed-shows.sql.ts. */
  readonly moment: string;
  /** Episodes, and perhaps the podcast itself, that changed since the last comparison. */
  readonly changed: readonly string[];
  /**
   * Episodes that have become public since then, or are not public any more because the clock was
   * set back.
   */
  readonly due: readonly string[];
}

/** The state of a show that the site's changes reflect. */
export interface Comparison {
  /** They reflect all content committed in this snapshot; null: it is of another server. */
  readonly snapshot: string | null;
  /** They reflect all that was public at this time. */
  readonly asOf: string | null;
  /** See `settingsOf` and `hashCommon`; null: unknown. */
  readonly commonHash: string | null;
  /** During a full comparison: the last episode so far; null: all are compared. */
  readonly scanned: ScanPosition | null;
}

export interface ScanPosition {
  readonly time: string;
  readonly id: string;
}

/**
 * gone: deleted. lost: the site may not read it any more. withheld: nothing new is written, and
 * pages leave out its contents. waiting: nothing new is written, and old changes stay readable.
 * live: the site follows it.
 */
export type ShowState = 'gone' | 'lost' | 'withheld' | 'waiting' | 'live';

const states: Readonly<Record<ShowAccess, ShowState>> = {
  deleted: 'gone',
  cut_off: 'lost',
  left: 'lost',
  no_plan: 'withheld',
  no_team_keys: 'withheld',
  silent: 'waiting',
  read: 'live',
};

export function stateOf(show: Omit<ShowFacts, 'isMember'> & Pick<FollowedShow, 'membership'>) {
  return states[showAccessOf({ ...show, isMember: show.membership !== undefined })];
}

/** The user whose credits decide what a co-host sees; undefined for members who see all. */
export function creditedUserOf(
  { membership }: Pick<FollowedShow, 'membership'>,
  userId: string,
): string | undefined {
  return membership !== undefined && seesAllEpisodes(membership) ? undefined : userId;
}

/** Raise it when the same rows give another SiteEpisode, so that all sites get the new contents. */
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
