import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { selectMembership } from './members.sql.ts';
import type { Membership } from './roles.ts';

const asOwner: Membership = { role: 'owner', roleName: null, capabilities: null };

export function findMembership(
  ctx: Context,
  podcastId: string,
  userId: string,
): Promise<Membership | undefined> {
  return selectMembership(ctx.db, podcastId, userId);
}

/**
 * What the actor is on the podcast; the operator and the service may do what its owner may. Whoever
 * is no member at all hears that there is no such podcast, as they would of one that does not exist.
 */
export async function getActingMembership(ctx: Context, podcastId: string): Promise<Membership> {
  const { actor } = ctx;
  if (actor.kind === 'operator' || actor.kind === 'system') return asOwner;
  if (actor.kind === 'public') throw notFound('podcast');
  const membership = await findMembership(ctx, podcastId, actor.userId);
  if (membership === undefined) throw notFound('podcast');
  return membership;
}
