import { isUniqueViolation } from '../../../../platform/database/sql-errors.ts';
import type { Context } from '../../../foundation/context.ts';
import { invalid, refuseWrong } from '../../../foundation/errors.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import { refuseGrant } from '../../../foundation/permissions/index.ts';
import type { Membership } from '../../../foundation/relation.ts';
import { insertMember } from '../members.sql.ts';
import { changeTeam } from './change-team.ts';
import { checkMember, type NewMember, toMembership } from './member.ts';

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
export async function joinTeam(
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
    throw invalid('user', 'This user is a member of the podcast already.', 'member_already');
  }
  await announceChange(tx, { kind: 'membership.added', podcastId, userId });
}
