import { isUuid } from '../../../lib/uuid.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { requireCapability } from '../require-capability.ts';
import { changeTeam } from './change-team.ts';
import type { Invitation } from './invitation.ts';
import { deleteInvitation, selectInvitation, selectInvitations } from './invitations.sql.ts';
import { refuseManaging } from './team-rules.ts';

/** The newest first. */
export async function listInvitations(
  ctx: Context,
  podcastId: string,
): Promise<readonly Invitation[]> {
  await requireCapability(ctx, podcastId, 'team.manage');
  return selectInvitations(ctx.db, podcastId, ctx.clock.now());
}

/** Takes it back: its letter opens nothing any more. */
export async function revokeInvitation(
  ctx: Context,
  { podcastId, invitationId }: { readonly podcastId: string; readonly invitationId: string },
): Promise<void> {
  await requireCapability(ctx, podcastId, 'team.manage');
  await changeTeam(ctx, podcastId, async (tx, actor) => {
    const invitation = isUuid(invitationId)
      ? await selectInvitation(tx.db, { id: invitationId, podcastId, now: tx.clock.now() })
      : undefined;
    if (invitation === undefined) throw notFound('invitation');
    refuseManaging(actor, invitation);
    await deleteInvitation(tx.db, invitation.id);
  });
}
