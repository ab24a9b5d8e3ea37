import type { AttemptLimit } from '../../accounts/index.ts';
import type { Membership } from '../roles.ts';

const dayMs = 24 * 3_600_000;
export const invitationLifetimeMs = 14 * dayMs;

/** Letters that one member has sent to whatever address: invitations, and offers to hand over. */
export const lettersPerMember: AttemptLimit = { name: 'invitations', most: 100, windowMs: dayMs };

/** An open invitation, as the team sees it. */
export interface Invitation extends Membership {
  readonly id: string;
  readonly podcastId: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** As whoever holds its letter sees it. */
export interface ReceivedInvitation extends Invitation {
  readonly podcastTitle: string;
  readonly inviterName: string;
  /** Whether the address has an account to sign in with; if not, one is made on accepting. */
  readonly hasAccount: boolean;
}
