import {
  type Capability,
  capabilities,
  givableRoles,
  grantableCapabilities,
} from '../../../lib/team-roles.ts';
import { type Role, roles } from '../enumerations.ts';
import { DomainError } from '../errors.ts';
import { sayRefusal } from '../refusals.ts';
import type { Membership } from '../relation.ts';

/** The roles that administer a podcast: they may connect it to sites (ACCT-18). */
export const administeringRoles: readonly Role[] = ['owner', 'admin'];

const fixedRoles: Record<
  Exclude<Role, 'custom'>,
  { name: string; capabilities: readonly Capability[] }
> = {
  owner: { name: 'Owner', capabilities },
  admin: { name: 'Admin', capabilities: givableRoles.admin },
  editor: { name: 'Editor', capabilities: givableRoles.editor },
  analyst: { name: 'Analyst', capabilities: givableRoles.analyst },
  cohost: { name: 'Co-host', capabilities: givableRoles.cohost },
};

export function capabilitiesOf(membership: Membership): readonly Capability[] {
  if (membership.role === 'custom') return membership.capabilities ?? [];
  return fixedRoles[membership.role].capabilities;
}

/** Others see only the episodes that credit them. */
export function seesAllEpisodes(membership: Membership): boolean {
  return capabilitiesOf(membership).includes('episodes.view_all');
}

export function roleNameOf(membership: Membership): string {
  if (membership.role === 'custom') return membership.roleName ?? '';
  return fixedRoles[membership.role].name;
}

/** A role as its member and others read it. */
export interface MemberRole {
  readonly role: Role;
  readonly roleName: string;
  readonly capabilities: readonly Capability[];
  /** False: only those that credit them. */
  readonly seesAllEpisodes: boolean;
}

export function roleOf(membership: Membership): MemberRole {
  return {
    role: membership.role,
    roleName: roleNameOf(membership),
    capabilities: capabilitiesOf(membership),
    seesAllEpisodes: seesAllEpisodes(membership),
  };
}

/** Lists the fixed roles that include a capability; a custom role may include it too. */
export function rolesWith(capability: Capability): readonly Role[] {
  return roles.filter(
    (role) => role !== 'custom' && fixedRoles[role].capabilities.includes(capability),
  );
}

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
