import type { PodcastStatus } from '../../foundation/enumerations.ts';

/** The present facts that decide whether a site reads a show. */
export interface ShowFacts {
  /** False: the podcast was deleted. */
  readonly exists: boolean;
  /** The site's key names it, and was not cut off from it. */
  readonly isNamed: boolean;
  /** The site's user is a member. */
  readonly isMember: boolean;
  readonly planIncludesApi: boolean;
  /** The plan includes the API, and the owner lets this member's keys read the podcast. */
  readonly isReadable: boolean;
  readonly status: PodcastStatus | null;
}

/**
 * `read`, or the strongest reason why a site does not read a show: it was deleted; the site's key
 * does not name it, or was cut off; the site's user is no member any more; the plan has no API or has
 * lapsed; members may not use keys. A `silent` show is a draft, paused or suspended.
 */
export type ShowAccess =
  | 'deleted'
  | 'cut_off'
  | 'left'
  | 'no_plan'
  | 'no_team_keys'
  | 'silent'
  | 'read';

/** Whether a show may stay with its site. Once cut off, the site's key never gets it back (KEY-16). */
export const mayStay = ({ state }: { readonly state: ShowAccess }): boolean => state !== 'cut_off';

export function showAccessOf(facts: ShowFacts): ShowAccess {
  if (!facts.exists) return 'deleted';
  if (!facts.isNamed) return 'cut_off';
  if (!facts.isMember) return 'left';
  if (!facts.planIncludesApi) return 'no_plan';
  if (!facts.isReadable) return 'no_team_keys';
  return facts.status === 'active' || facts.status === 'moved' ? 'read' : 'silent';
}
