const dayMs = 24 * 3_600_000;
export const offerLifetimeMs = 7 * dayMs;

/** A podcast that its owner would hand over. */
export interface OwnershipOffer {
  readonly podcastId: string;
  /** Whose account it would move to. */
  readonly email: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** As whoever holds its letter sees it. */
export interface ReceivedOffer extends OwnershipOffer {
  readonly podcastTitle: string;
  readonly ownerName: string;
  /** Whether the address has an account to sign in with. */
  readonly hasAccount: boolean;
}
