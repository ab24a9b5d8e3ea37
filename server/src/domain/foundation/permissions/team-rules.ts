import { type Capability, grantableCapabilities } from '../../../lib/team-roles.ts';
import { type Role, roles } from '../enumerations.ts';
import { DomainError } from '../errors.ts';
import { sayRefusal } from '../refusals.ts';
import type { Membership } from '../relation.ts';
import { capabilitiesOf } from './roles.ts';

/**
 * True if the manager may grant, change or end this membership, or withdraw an invitation to it.
 * Managers need every capability that it includes, and only the owner manages admins.
 */
export function mayManage(manager: Membership, member: Membership): boolean {
  // There is one owner; only a handover changes who it is.
  if (member.role === 'owner') return false;
  if (manager.role === 'owner') return true;
  const own = capabilitiesOf(manager);
  return (
    own.includes('team.manage') &&
    member.role !== 'admin' &&
    capabilitiesOf(member).every((capability) => own.includes(capability))
  );
}

/** The roles that the manager may give; `custom` with the capabilities of `grantableBy`. */
export function rolesGivenBy(manager: Membership): Role[] {
  return roles.filter((role) => mayManage(manager, { role, roleName: null, capabilities: [] }));
}

/** The capabilities that a custom role may include if the manager gives it. */
export function grantableBy(manager: Membership): Capability[] {
  return grantableCapabilities.filter((capability) =>
    mayManage(manager, { role: 'custom', roleName: null, capabilities: [capability] }),
  );
}

export function refuseGrant(manager: Membership, granted: Membership): void {
  if (mayManage(manager, granted)) return;
  throw new DomainError('forbidden', sayRefusal('role_beyond_yours'));
}

export function refuseManaging(manager: Membership, member: Membership): void {
  if (mayManage(manager, member)) return;
  throw new DomainError(
    'forbidden',
    sayRefusal(member.role === 'owner' ? 'owner_stays' : 'member_beyond_yours'),
  );
}
