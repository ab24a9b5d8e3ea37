import type { Capability } from '../../lib/team-roles.ts';
import type { PlanState, Role } from './enumerations.ts';

/** A member's role as stored; only `custom` has a name and capabilities of its own. */
export interface Membership {
  readonly role: Role;
  readonly roleName: string | null;
  readonly capabilities: readonly Capability[] | null;
}

/**
 * The resource of an action. With both ids it is the episode, which counts as missing if it is not
 * the podcast's.
 */
export type Resource =
  | { readonly podcastId: string; readonly episodeId?: string }
  | { readonly podcastId?: undefined; readonly episodeId: string };

/** The present relation of a user, or of their key, to a podcast or one of its episodes. */
export interface Relation {
  readonly podcastId: string;
  /** The plan of the account that owns the podcast, not that of the user. */
  readonly plan: string;
  /** Undefined: the user is not a member. */
  readonly membership: Membership | undefined;
  /** Undefined unless the resource is an episode. */
  readonly episode: EpisodeRelation | undefined;
  /** Undefined unless a key asks. */
  readonly key: KeyRelation | undefined;
}

export interface EpisodeRelation {
  readonly id: string;
  /** True if the episode itself credits the user; the roster does not count. */
  readonly isCredited: boolean;
  readonly sharesTranscript: boolean;
}

export interface KeyRelation {
  /** The account that owns the podcast. */
  readonly accountId: string;
  readonly planState: PlanState;
  readonly planIncludesApi: boolean;
  /** The key covers the podcast and was not cut off from it. */
  readonly isCovered: boolean;
  /** The owner lets this member use keys, or the member's role includes it. */
  readonly isAllowed: boolean;
}
