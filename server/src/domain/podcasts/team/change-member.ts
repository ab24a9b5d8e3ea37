import { requireUser } from '../../actor.ts';
import { announceChange } from '../../changes/index.ts';
import type { Context } from '../../context.ts';
import { DomainError, notFound } from '../../errors.ts';
import { deleteMember, selectMembers, selectMembership, updateMember } from '../members.sql.ts';
import { requireCapability } from '../require-capability.ts';
import type { Membership } from '../roles.ts';
import { changeTeam } from './change-team.ts';
import { deleteInvitationsBy } from './invitations.sql.ts';
import { checkMember, type Member, type NewMember, toMembership } from './member.ts';
import { refuseGrant, refuseManaging } from './team-rules.ts';

interface MemberRef {
  readonly podcastId: string;
  readonly userId: string;
}

/** Who works on the podcast, the owner first, then by when they joined. */
export async function listMembers(ctx: Context, podcastId: string): Promise<readonly Member[]> {
  await requireCapability(ctx, podcastId, 'team.manage');
  return selectMembers(ctx.db, podcastId);
}

/** Gives a member another role. What they have invited others to is taken back. */
export async function changeMember(ctx: Context, input: NewMember): Promise<void> {
  const { podcastId, userId } = input;
  await requireCapability(ctx, podcastId, 'team.manage');
  const details = checkMember(input);
  if (details.length > 0) throw new DomainError('invalid', 'Not a membership.', { details });
  await changeTeam(ctx, podcastId, async (tx, actor) => {
    const membership = toMembership(input);
    refuseManaging(actor, await getMembership(tx, input));
    refuseGrant(actor, membership);
    await updateMember(tx.db, { podcastId, userId, ...membership });
    await deleteInvitationsBy(tx.db, podcastId, userId);
    await announceChange(tx, { kind: 'membership.changed', podcastId, userId });
  });
}

/** With the next request they are no member. What names them on episodes stays. */
export async function removeMember(ctx: Context, member: MemberRef): Promise<void> {
  await requireCapability(ctx, member.podcastId, 'team.manage');
  await changeTeam(ctx, member.podcastId, async (tx, actor) => {
    refuseManaging(actor, await getMembership(tx, member));
    await endMembership(tx, member);
  });
}

/** The signed-in user's own choice; the owner hands the podcast over first. */
export async function leavePodcast(ctx: Context, podcastId: string): Promise<void> {
  const userId = requireUser(ctx.actor);
  await changeTeam(ctx, podcastId, async (tx, actor) => {
    if (actor.role === 'owner') {
      throw new DomainError('forbidden', 'The owner cannot leave: hand the podcast over first.');
    }
    await endMembership(tx, { podcastId, userId });
  });
}

async function getMembership(tx: Context, { podcastId, userId }: MemberRef): Promise<Membership> {
  const membership = await selectMembership(tx.db, podcastId, userId);
  if (membership === undefined) throw notFound('member');
  return membership;
}

async function endMembership(tx: Context, { podcastId, userId }: MemberRef): Promise<void> {
  await deleteMember(tx.db, podcastId, userId);
  await deleteInvitationsBy(tx.db, podcastId, userId);
  await announceChange(tx, { kind: 'membership.removed', podcastId, userId });
}
