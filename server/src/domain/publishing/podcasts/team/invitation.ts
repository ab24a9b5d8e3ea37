import { createHmac, timingSafeEqual } from 'node:crypto';
import { mailboxOf } from '../../../../lib/email-address.ts';
import { invitationDays } from '../../../../lib/limits.ts';
import { isUuid } from '../../../../lib/uuid.ts';
import { type AttemptLimit, consumeAttempt } from '../../../foundation/accounts/index.ts';
import { appUrl } from '../../../foundation/addresses.ts';
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
  const address = mailboxOf(email);
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

/**
 * The link that members copy. Its token is another one than that of the email, so it does not prove
 * that its reader owns the invited address. It is made from the invitation's id and the
 * installation's secret, so members can read it again.
 */
export function invitationLink(
  { installation }: Pick<Context, 'installation'>,
  id: string,
): string {
  return appUrl(installation, 'invitation', `${id}.${macOf(installation.tagKey, id)}`);
}

/** The id of the invitation that a copied link names; undefined if the token is not ours. */
export function readCopiedToken(
  { installation }: Pick<Context, 'installation'>,
  token: string,
): string | undefined {
  const [id = '', mac = '', ...rest] = token.split('.');
  if (!isUuid(id) || rest.length > 0) return undefined;
  const expected = Buffer.from(macOf(installation.tagKey, id));
  const given = Buffer.from(mac);
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
}

function macOf(tagKey: Context['installation']['tagKey'], id: string): string {
  return createHmac('sha256', tagKey).update(`invitation link ${id}`).digest('base64url');
}
