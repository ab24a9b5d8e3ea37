import { isUuid } from '../../../../lib/uuid.ts';
import type { Context } from '../../../foundation/context.ts';
import { notFound } from '../../../foundation/errors.ts';
import { authorize, refuseManaging } from '../../../foundation/permissions/index.ts';
import { changeTeam } from './change-team.ts';
import type { SharedInvitation } from './invitation.ts';
import { invitationLink } from './invitation-link.ts';
import { deleteInvitation, selectInvitation, selectInvitations } from './invitations.sql.ts';

/** Lists open invitations, newest first. */
export async function listInvitations(
  ctx: Context,
  podcastId: string,
): Promise<readonly SharedInvitation[]> {
  await authorize(ctx, 'team.manage', { podcastId });
  const invitations = await selectInvitations(ctx.db, podcastId, ctx.clock.now());
  return invitations.map((one) => ({ ...one, link: invitationLink(ctx, one.id) }));
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
