import type { AttemptLimit } from '../../accounts/index.ts';
import type { Membership } from '../../permissions/index.ts';

const dayMs = 24 * 3_600_000;
export const invitationLifetimeMs = 14 * dayMs;

/** Emails one member may cause per day: invitations and ownership offers. */
export const emailsPerMember: AttemptLimit = { name: 'invitations', most: 100, windowMs: dayMs };

/** An open invitation, as the team sees it. */
export interface Invitation extends Membership {
  readonly id: string;
  readonly podcastId: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface SharedInvitation extends Invitation {
  /** To copy. Unlike that of the email, it does not prove that its reader owns the address. */
  readonly link: string;
}

/** As its recipient sees it. */
export interface ReceivedInvitation extends Invitation {
  readonly podcastTitle: string;
  readonly inviterName: string;
  /**
   * True if the address has an account to sign in with; otherwise one is made on accepting. Null
   * for the reader of a copied link, who may be anybody: they sign in or sign up as usual.
   */
  readonly hasAccount: boolean | null;
}
