const dayMs = 24 * 3_600_000;
export const offerLifetimeMs = 7 * dayMs;

/** An owner's open offer to hand over a podcast. */
export interface OwnershipOffer {
  readonly podcastId: string;
  /** The address of the user to whose account it would move. */
  readonly email: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** As its recipient sees it. */
export interface ReceivedOffer extends OwnershipOffer {
  readonly podcastTitle: string;
  readonly ownerName: string;
  /** Whether the address has an account to sign in with. */
  readonly hasAccount: boolean;
}
