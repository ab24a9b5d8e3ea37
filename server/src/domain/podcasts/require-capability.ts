import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { getActingMembership } from './acting-membership.ts';
import { type Capability, capabilitiesOf } from './roles.ts';

/** Refuses an actor who may not do this on the podcast. */
export async function requireCapability(
  ctx: Context,
  podcastId: string,
  capability: Capability,
): Promise<void> {
  const membership = await getActingMembership(ctx, podcastId);
  if (!capabilitiesOf(membership).includes(capability)) {
    throw new DomainError('forbidden', `Your role on this podcast does not include ${capability}.`);
  }
}
