import { isEmail, isSameEmail } from '../../../../lib/email-address.ts';
import { hashSecretToken, newSecretToken } from '../../../../lib/secret-token.ts';
import { isUuid, newId } from '../../../../lib/uuid.ts';
import { getUser } from '../../../foundation/accounts/index.ts';
import { appUrl } from '../../../foundation/addresses.ts';
import type { Context } from '../../../foundation/context.ts';
import { queueEmail } from '../../../foundation/emails/index.ts';
import { type ErrorDetail, invalid, notFound, refuseWrong } from '../../../foundation/errors.ts';
import {
  authorize,
  mayManage,
  refuseGrant,
  refuseManaging,
  roleNameOf,
} from '../../../foundation/permissions/index.ts';
import { requireUser } from '../../../foundation/principal.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import { selectMembers } from '../members.sql.ts';
import { getPodcast } from '../update-podcast.ts';
import { changeTeam } from './change-team.ts';
import {
  consumeEmail,
  type Invitation,
  invitationLifetimeMs,
  invitationLink,
  type SharedInvitation,
} from './invitation.ts';
import {
  deleteInvitation,
  replaceInvitation,
  selectInvitation,
  selectInvitations,
} from './invitations.sql.ts';
import { checkMember, type GivenRole, maxTeamSize, toMembership } from './member.ts';

export interface NewInvitation extends GivenRole {
  readonly podcastId: string;
  readonly email: string;
}

/**
 * Invites somebody by email. A second invitation of one address replaces the first, whose link
 * stops working.
 */
export async function inviteMember(ctx: Context, input: NewInvitation): Promise<SharedInvitation> {
  const invitedBy = requireUser(ctx);
  const { podcastId, email } = input;
  await authorize(ctx, 'team.manage', { podcastId });
  refuseWrong('The invitation was not sent.', checkInvitation(input));
  await consumeEmail(ctx, { userId: invitedBy, podcastId, email });
  return changeTeam(ctx, 'team.manage', podcastId, async (tx, manager) => {
    const membership = toMembership(input);
    refuseGrant(manager, membership);
    const createdAt = tx.clock.now();
    const members = await selectMembers(tx.db, podcastId);
    const invitations = await selectInvitations(tx.db, podcastId, createdAt);
    if (members.some((member) => isSameEmail(member.email, email))) {
      throw invalid('email', sayRefusal('member_already'), 'member_already');
    }
    const earlier = invitations.find((invitation) => isSameEmail(invitation.email, email));
    if (earlier !== undefined) refuseManaging(manager, earlier);
    else refuseCrowd(members.length + invitations.length);
    const expiresAt = new Date(createdAt.getTime() + invitationLifetimeMs);
    const invitation = { id: newId(), podcastId, email, ...membership, createdAt, expiresAt };
    await sendInvitation(tx, invitation, invitedBy);
    return { ...invitation, link: invitationLink(tx, invitation.id), mayManage: true };
  });
}

async function sendInvitation(
  tx: Context,
  invitation: Invitation,
  invitedBy: string,
): Promise<void> {
  const token = newSecretToken();
  const tokenHash = hashSecretToken(token);
  await replaceInvitation(tx.db, { ...invitation, tokenHash, invitedBy });
  const values = {
    inviter: (await getUser(tx, invitedBy)).name,
    podcast: (await getPodcast(tx, invitation.podcastId)).title,
    role: { role: invitation.role, roleName: roleNameOf(invitation) },
    link: appUrl(tx.installation, 'invitation', token),
    until: invitation.expiresAt,
  };
  await queueEmail(tx, { template: 'invitation', to: invitation.email, values });
}

/** Returns all validation errors. */
export function checkInvitation(input: Partial<NewInvitation>): ErrorDetail[] {
  const { email } = input;
  const isWrong = email !== undefined && !isEmail(email);
  const refused = { field: 'email', ...sayRefusal('not_email') };
  return [...(isWrong ? [refused] : []), ...checkMember(input)];
}

function refuseCrowd(teamSize: number): void {
  if (teamSize < maxTeamSize) return;
  throw invalid('email', sayRefusal('team_full', { max: maxTeamSize }));
}

/** Lists open invitations, newest first. */
export async function listInvitations(
  ctx: Context,
  podcastId: string,
): Promise<readonly SharedInvitation[]> {
  const { membership: manager } = await authorize(ctx, 'team.manage', { podcastId });
  const invitations = await selectInvitations(ctx.db, podcastId, ctx.clock.now());
  return invitations.map((one) => ({
    ...one,
    link: invitationLink(ctx, one.id),
    mayManage: mayManage(manager, one),
  }));
}

/** Withdraws an invitation: its link stops working. */
export async function revokeInvitation(
  ctx: Context,
  { podcastId, invitationId }: { readonly podcastId: string; readonly invitationId: string },
): Promise<void> {
  await changeTeam(ctx, 'team.manage', podcastId, async (tx, manager) => {
    const invitation = isUuid(invitationId)
      ? await selectInvitation(tx.db, { id: invitationId, podcastId, now: tx.clock.now() })
      : undefined;
    if (invitation === undefined) throw notFound('invitation');
    refuseManaging(manager, invitation);
    await deleteInvitation(tx.db, invitation.id);
  });
}
