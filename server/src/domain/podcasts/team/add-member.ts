import { isUniqueViolation } from '../../../platform/database/sql-errors.ts';
import { announceChange } from '../../changes/index.ts';
import type { Context } from '../../context.ts';
import { DomainError, invalid } from '../../errors.ts';
import { insertMember } from '../members.sql.ts';
import type { Membership } from '../roles.ts';
import { changeTeam } from './change-team.ts';
import { checkMember, type NewMember, toMembership } from './member.ts';
import { refuseGrant } from './team-rules.ts';

/** Makes a user a member without asking them: for the operator, and for world files. */
export async function addMember(ctx: Context, input: NewMember): Promise<void> {
  const details = checkMember(input);
  if (details.length > 0) throw new DomainError('invalid', 'Not a membership.', { details });
  const { podcastId, userId } = input;
  await changeTeam(ctx, podcastId, async (tx, actor) => {
    const membership = toMembership(input);
    refuseGrant(actor, membership);
    await joinTeam(tx, { podcastId, userId, membership });
  });
}

/** In the transaction of whatever lets them join. */
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
