import type { ShowAccess } from './show-access.ts';
import { isConnected, type Site } from './site.ts';

export interface SiteShow {
  readonly id: string;
  /** Null: the user is no member any more. */
  readonly title: string | null;
  readonly slug: string | null;
  readonly state: ShowAccess;
}

/** The facts of a site outside its own row. */
export interface SiteFacts {
  readonly userEmail: string;
  /** Oldest podcast first. */
  readonly shows: readonly SiteShow[];
  /** When its key was revoked; null: it was not. */
  readonly endedAt: Date | null;
  /** Its last call of the changes; null: none yet. */
  readonly lastCall: SiteCall | null;
  readonly pings: SitePings | null;
}

/** A connected site, as its user sees it. */
export interface ListedSite extends Site, SiteFacts {}

/** When the connection ended: its key was revoked or has expired. Null: it is connected. */
export function endOf(site: ListedSite): Date | null {
  return site.endedAt ?? (isConnected(site) ? null : site.expiresAt);
}

export interface SiteCall {
  readonly at: Date;
  /** The last seq that the site has applied. */
  readonly afterSeq: number;
  /** The number of changes for its next call; at most `maxCountedChanges`. */
  readonly behind: number;
}

export interface SitePings {
  /** The time of the last ping that the site answered. */
  readonly sentAt: Date | null;
  /** Failures since the site last answered or called. */
  readonly failures: number;
  readonly lastError: string | null;
}
