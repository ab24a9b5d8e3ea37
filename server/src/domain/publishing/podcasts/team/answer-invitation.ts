import { isSameEmail } from '../../../../lib/email-address.ts';
import { tryHashSecretToken } from '../../../../lib/secret-token.ts';
import { isUniqueViolation } from '../../../../platform/database/sql-errors.ts';
import { getUser } from '../../../foundation/accounts/index.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { DomainError, invalid, refuseWrong, requireLink } from '../../../foundation/errors.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import { refuseGrant } from '../../../foundation/permissions/index.ts';
import { requireUser } from '../../../foundation/principal.ts';
import type { Membership } from '../../../foundation/relation.ts';
import { message } from '../../../foundation/translations/index.ts';
import { insertMember } from '../members.sql.ts';
import { lockPodcast } from '../podcasts.sql.ts';
import { changeTeam } from './change-team.ts';
import { type ReceivedInvitation, readCopiedToken } from './invitation.ts';
import {
  deleteInvitation,
  selectCopiedInvitation,
  selectInvitationByToken,
} from './invitations.sql.ts';
import { checkMember, type NewMember, toMembership } from './member.ts';

/** Returns the invitation with this token, of the email or a copied link, while it is valid. */
export async function getInvitation(ctx: Context, token: string): Promise<ReceivedInvitation> {
  const now = ctx.clock.now();
  const copiedId = readCopiedToken(ctx, token);
  if (copiedId !== undefined) {
    return requireLink(await selectCopiedInvitation(ctx.db, copiedId, now));
  }
  const tokenHash = requireLink(tryHashSecretToken(token));
  return requireLink(await selectInvitationByToken(ctx.db, tokenHash, now));
}

/** The signed-in user joins. Their address must be the invited one. */
export async function acceptInvitation(
  ctx: Context,
  token: string,
): Promise<{ readonly podcastId: string }> {
  const userId = requireUser(ctx);
  return transact(ctx, async (tx) => {
    const { podcastId, email } = await getInvitation(tx, token);
    // Before the lock: a refused request must not make others wait for it.
    const user = await getUser(tx, userId);
    if (!isSameEmail(user.email, email)) {
      throw new DomainError(
        'forbidden',
        `This invitation is for ${email}. Sign in with that email address.`,
      );
    }
    await lockPodcast(tx.db, podcastId);
    // Reads it again: the transaction that held the lock may have withdrawn or changed it.
    const invitation = await getInvitation(tx, token);
    // Whoever declines it, or sets a new password, does not wait for the lock.
    requireLink((await deleteInvitation(tx.db, invitation.id)) || undefined);
    await joinTeam(tx, { podcastId, userId, membership: invitation });
    return { podcastId };
  });
}

/** Anyone with the token may decline, without signing in. */
export async function declineInvitation(ctx: Context, token: string): Promise<void> {
  await deleteInvitation(ctx.db, (await getInvitation(ctx, token)).id);
}

/** Makes a user a member without an invitation: for the operator, and for seed files. */
export async function addMember(ctx: Context, input: NewMember): Promise<void> {
  refuseWrong('The membership was not saved.', checkMember(input));
  const { podcastId, userId } = input;
  await changeTeam(ctx, 'team.manage', podcastId, async (tx, manager) => {
    const membership = toMembership(input);
    refuseGrant(manager, membership);
    await joinTeam(tx, { podcastId, userId, membership });
  });
}

/** Adds the member in the caller's transaction. */
async function joinTeam(
  tx: Context,
  member: {
    readonly podcastId: string;
    readonly userId: string;
    readonly membership: Membership;
  },
): Promise<void> {
  const { podcastId, userId, membership } = member;
  try {
    await insertMember(tx.db, { podcastId, userId, ...membership, createdAt: tx.clock.now() });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const words = message('This user is already a member of the podcast.');
    throw invalid('user', words, 'member_already');
  }
  await announceChange(tx, { kind: 'membership.added', podcastId, userId });
}
