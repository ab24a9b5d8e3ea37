import { type AttemptLimit, consumeAttempt } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import type { Membership } from '../../permissions/index.ts';

const dayMs = 24 * 3_600_000;
export const invitationLifetimeMs = 14 * dayMs;

/** Invitations and ownership offers of a day: all that one member sends, … */
const perMember: AttemptLimit = { name: 'invitations', most: 100, windowMs: dayMs };
/** … and all that one address gets, which need not belong to a user. */
const perAddress: AttemptLimit = { name: 'invitations, address', most: 5, windowMs: dayMs };

/** Counts an email of the member to the address, or refuses it. Not inside a transaction. */
export async function consumeEmail(ctx: Context, userId: string, email: string): Promise<void> {
  await consumeAttempt(ctx, [perMember, userId]);
  await consumeAttempt(ctx, [perAddress, email.toLowerCase()]);
}

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
