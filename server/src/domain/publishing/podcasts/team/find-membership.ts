import type { Context } from '../../../foundation/context.ts';
import type { Membership } from '../../../foundation/relation.ts';
import { selectMembership } from '../members.sql.ts';

export function findMembership(
  ctx: Context,
  podcastId: string,
  userId: string,
): Promise<Membership | undefined> {
  return selectMembership(ctx.db, podcastId, userId);
}
