import type { Context } from '../../../foundation/context.ts';
import { DomainError, refuseWrong, requireFound } from '../../../foundation/errors.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import {
  authorize,
  grantableBy,
  mayManage,
  refuseGrant,
  refuseManaging,
  rolesGivenBy,
} from '../../../foundation/permissions/index.ts';
import { requireUser } from '../../../foundation/principal.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import type { Membership } from '../../../foundation/relation.ts';
import {
  deleteMember,
  selectCountedMembers,
  selectMembers,
  selectMembership,
  updateMember,
} from '../members.sql.ts';
import { mayLeave } from '../podcast-rights.ts';
import { changeTeam } from './change-team.ts';
import { deleteInvitationsBy } from './invitations.sql.ts';
import { checkMember, type Member, type NewMember, type Team, toMembership } from './member.ts';

interface MemberRef {
  readonly podcastId: string;
  readonly userId: string;
}

/** Lists the members: the owner first, then the others by when they joined. */
export async function listMembers(ctx: Context, podcastId: string): Promise<readonly Member[]> {
  await authorize(ctx, 'team.manage', { podcastId });
  return selectMembers(ctx.db, podcastId);
}

/** Reads the members, and what the caller may do with them. */
export async function readTeam(ctx: Context, podcastId: string): Promise<Team> {
  const { membership: manager } = await authorize(ctx, 'team.manage', { podcastId });
  const members = await selectCountedMembers(ctx.db, podcastId);
  const given = rolesGivenBy(manager);
  return {
    members: members.map((member) => {
      const isManaged = mayManage(manager, member);
      return { ...member, mayBecome: isManaged ? given : [], mayRemove: isManaged };
    }),
    mayInviteAs: given,
    mayGrant: grantableBy(manager),
  };
}

/** Gives a member another role, and withdraws the invitations they sent. */
export async function changeMember(ctx: Context, input: NewMember): Promise<void> {
  const { podcastId, userId } = input;
  await authorize(ctx, 'team.manage', { podcastId });
  refuseWrong('The membership was not saved.', checkMember(input));
  await changeTeam(ctx, 'team.manage', podcastId, async (tx, manager) => {
    const membership = toMembership(input);
    refuseManaging(manager, await getMembership(tx, input));
    refuseGrant(manager, membership);
    await updateMember(tx.db, { podcastId, userId, ...membership });
    await deleteInvitationsBy(tx.db, podcastId, userId);
    await announceChange(tx, { kind: 'membership.changed', podcastId, userId });
  });
}

/** Removes a member, from the next request on. Their credits on episodes stay. */
export async function removeMember(ctx: Context, member: MemberRef): Promise<void> {
  await changeTeam(ctx, 'team.manage', member.podcastId, async (tx, manager) => {
    refuseManaging(manager, await getMembership(tx, member));
    await endMembership(tx, member);
  });
}

/** The signed-in user leaves. An owner must hand the podcast over first. */
export async function leavePodcast(ctx: Context, podcastId: string): Promise<void> {
  const userId = requireUser(ctx);
  await changeTeam(ctx, 'team.belong', podcastId, async (tx, member) => {
    if (!mayLeave(member)) {
      throw new DomainError('forbidden', sayRefusal('owner_cannot_leave'));
    }
    await endMembership(tx, { podcastId, userId });
  });
}

async function getMembership(tx: Context, { podcastId, userId }: MemberRef): Promise<Membership> {
  return requireFound(await selectMembership(tx.db, podcastId, userId), 'member');
}

async function endMembership(tx: Context, { podcastId, userId }: MemberRef): Promise<void> {
  await deleteMember(tx.db, podcastId, userId);
  await deleteInvitationsBy(tx.db, podcastId, userId);
  await announceChange(tx, { kind: 'membership.removed', podcastId, userId });
}
