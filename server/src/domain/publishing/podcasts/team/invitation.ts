import { invitationDays } from '../../../../lib/limits.ts';
import { type AttemptLimit, consumeAttempt } from '../../../foundation/accounts/index.ts';
import type { Context } from '../../../foundation/context.ts';
import type { Membership } from '../../../foundation/relation.ts';

const dayMs = 24 * 3_600_000;
export const invitationLifetimeMs = invitationDays * dayMs;

/** Invitations and ownership offers that one member sends in a day, … */
const perMember: AttemptLimit = { name: 'invitations', most: 100, windowMs: dayMs };
/** … those to one address, for instance of somebody who is to join all shows of a network, … */
const perAddress: AttemptLimit = { name: 'invitations, address', most: 20, windowMs: dayMs };
/** … and those to one address for one show, which only repeat themselves. */
const perShow: AttemptLimit = { name: 'invitations, show', most: 5, windowMs: dayMs };

/**
 * Counts an email that a member sends to an address for a show, or refuses it. Nobody can use up the
 * emails of another member. Not inside a transaction.
 */
export async function consumeEmail(
  ctx: Context,
  { userId, podcastId, email }: Record<'userId' | 'podcastId' | 'email', string>,
): Promise<void> {
  const address = email.toLowerCase();
  await consumeAttempt(ctx, [perShow, userId, podcastId, address]);
  await consumeAttempt(ctx, [perAddress, userId, address]);
  await consumeAttempt(ctx, [perMember, userId]);
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
  /** Whether the caller may withdraw it, or send it again. */
  readonly mayManage: boolean;
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
