import { plansWithApi } from '../accounts/index.ts';
import { DomainError, notFound } from '../errors.ts';
import { type Capability, capabilitiesOf, type Membership } from '../podcasts/index.ts';
import type { Access, Caller } from './caller.ts';
import type { Scope } from './key.ts';

/** What a request asks of its caller beyond the key's reach. */
export interface Need {
  readonly capability?: Capability;
  /** Whatever the capabilities say: analytics with a key. */
  readonly ownerOnly?: boolean;
  /** The episode's transcript, which a co-host reads only where it is shared with them. */
  readonly transcript?: boolean;
}

export type GrantedAccess = Access & { readonly membership: Membership };

/** Refuses a key that does not hold the permission. Before anything is said of the target. */
export function refuseScope(caller: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (!caller.scopes.includes(scope)) {
    throw new DomainError('insufficient_scope', `This key does not hold the permission ${scope}.`);
  }
}

/**
 * The access rules of a keyed read, in the order of decisions.md §2: reach (not found), the owning
 * plan, team keys and role. What cannot be reached is refused as what does not exist.
 */
export function decideAccess(access: Access | undefined, need: Need): GrantedAccess {
  if (!isReached(access)) throw notFound('podcast or episode within reach of this key');
  refusePlan(access);
  refuseRole(access, need);
  return access;
}

function isReached(access: Access | undefined): access is GrantedAccess {
  if (access?.membership === undefined || !access.keyReaches) return false;
  return (
    access.episode === undefined ||
    access.episode.isCredited ||
    capabilitiesOf(access.membership).includes('episodes.view_all')
  );
}

function refusePlan({ plan, planState }: Access): void {
  if (planState === 'lapsed') {
    throw new DomainError('plan_upgrade_required', 'The plan of this podcast has lapsed.');
  }
  if (!plansWithApi.includes(plan)) {
    throw new DomainError('plan_upgrade_required', 'The plan of this podcast has no API.');
  }
}

function refuseRole({ membership, teamKeys, episode }: GrantedAccess, need: Need): void {
  const held = capabilitiesOf(membership);
  // The owner holds every capability, this one too.
  if (!teamKeys && !held.includes('show.api_access')) {
    throw forbidden("The owner of this podcast does not let its members' keys read it.");
  }
  if (need.ownerOnly === true && membership.role !== 'owner') {
    throw forbidden('Only the owner of the podcast may read this with a key.');
  }
  if (need.capability !== undefined && !held.includes(need.capability)) {
    throw forbidden(`Your role on this podcast does not include ${need.capability}.`);
  }
  const sharesTranscript = episode?.sharesTranscript ?? false;
  if (
    need.transcript === true &&
    !sharesTranscript &&
    !held.includes('episodes.transcript_settings')
  ) {
    throw forbidden('The transcript of this episode is not shared with you.');
  }
}

function forbidden(message: string): DomainError {
  return new DomainError('forbidden', message);
}
