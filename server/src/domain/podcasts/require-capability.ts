import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { selectMembership } from './members.sql.ts';
import { type Capability, capabilitiesOf } from './roles.ts';

/**
 * Refuses an actor who may not do this on the podcast. Whoever is no member at all hears that
 * there is no such podcast, as they would of one that does not exist.
 */
export async function requireCapability(
  ctx: Context,
  podcastId: string,
  capability: Capability,
): Promise<void> {
  const { actor } = ctx;
  if (actor.kind === 'operator' || actor.kind === 'system') return;
  if (actor.kind === 'public') throw notFound('podcast');
  const membership = await selectMembership(ctx.db, podcastId, actor.userId);
  if (membership === undefined) throw notFound('podcast');
  if (!capabilitiesOf(membership).includes(capability)) {
    throw new DomainError('forbidden', `Your role on this podcast does not include ${capability}.`);
  }
}
