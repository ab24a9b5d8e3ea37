import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { getActingMembership } from './acting-membership.ts';

/** As `requireCapability`, for what is the owner's alone, whatever is granted to others. */
export async function requireOwner(ctx: Context, podcastId: string): Promise<void> {
  const { role } = await getActingMembership(ctx, podcastId);
  if (role !== 'owner') {
    throw new DomainError('forbidden', 'This is for the owner of the podcast.');
  }
}
