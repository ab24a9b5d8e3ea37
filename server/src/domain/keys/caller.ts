import type { PlanState } from '../accounts/index.ts';
import type { HostingType, Membership } from '../podcasts/index.ts';
import type { KeyKind, Scope } from './key.ts';

/** Who asks with a key, as things stand at this moment. */
export interface Caller {
  readonly keyId: string;
  readonly keyName: string;
  readonly kind: KeyKind;
  /** Of the secret that was sent: a rolled key's old one has its own last four and expiry. */
  readonly lastFour: string;
  readonly expiresAt: Date;
  readonly scopes: readonly Scope[];
  readonly allPodcasts: boolean;
  readonly createdAt: Date;
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  /** The terms the user accepted last; null: none. */
  readonly acceptedTerms: string | null;
  /** Of the user's own account. */
  readonly plan: string;
  readonly planState: PlanState;
  /** Undefined: nothing was asked for, or there is no such thing. */
  readonly access: Access | undefined;
}

/** What is asked for with a key. */
export type Target = { readonly podcastId: string } | { readonly episodeId: string };

/** What stands between a key and a podcast, or one of its episodes. */
export interface Access {
  readonly podcastId: string;
  /** The owning account's; its plan counts, not that of whoever asks. */
  readonly accountId: string;
  readonly plan: string;
  readonly planState: PlanState;
  readonly hostingType: HostingType;
  /** Whether the owner lets other members use keys. */
  readonly teamKeys: boolean;
  /** Of the key's user; undefined: not a member. */
  readonly membership: Membership | undefined;
  /** The key covers the podcast and was not cut off from it. */
  readonly keyReaches: boolean;
  /** When an episode was asked for. */
  readonly episode: EpisodeAccess | undefined;
}

export interface EpisodeAccess {
  readonly id: string;
  /** Whether the key's user is among the people this episode names; the roster does not count. */
  readonly isCredited: boolean;
  readonly sharesTranscript: boolean;
}
