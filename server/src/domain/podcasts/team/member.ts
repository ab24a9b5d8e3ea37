import { holdsWebAddress, isGivenName } from '../../../lib/given-name.ts';
import type { ErrorDetail } from '../../errors.ts';
import {
  type Capability,
  capabilities,
  grantableCapabilities,
  type Membership,
  type Role,
  roles,
} from '../roles.ts';

/** A role as it is given. */
export interface GivenRole {
  readonly role: Role;
  /** For `custom` alone, and there required. */
  readonly roleName?: string | undefined;
  readonly capabilities?: readonly Capability[] | undefined;
}

export interface NewMember extends GivenRole {
  readonly podcastId: string;
  readonly userId: string;
}

/** Somebody on a podcast's team, as their colleagues know them. */
export interface Member extends Membership {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
}

/** Members and open invitations of one podcast together. */
export const maxTeamSize = 500;

const maxRoleNameChars = 60;

/** Every wrong field of those given at once; without the role, nothing can be said of the others. */
export function checkMember(input: Partial<GivenRole>): ErrorDetail[] {
  if (input.role === undefined) return [];
  const details: ErrorDetail[] = [];
  const refuse = (field: string, message: string) => void details.push({ field, message });
  if (input.role === 'owner' || !roles.includes(input.role)) {
    const givable = roles.filter((role) => role !== 'owner').join(', ');
    refuse('role', `A member's role is one of ${givable}.`);
  }
  const custom = input.role === 'custom';
  if (custom !== (input.roleName !== undefined)) {
    refuse('role_name', 'A custom role has a name, the others have theirs.');
  } else if (input.roleName !== undefined && !isGivenName(input.roleName, maxRoleNameChars)) {
    const bounds = `1 to ${maxRoleNameChars} characters`;
    refuse('role_name', `The name of a role has ${bounds}, on one line and to be seen.`);
  } else if (input.roleName !== undefined && holdsWebAddress(input.roleName)) {
    refuse('role_name', 'The name of a role holds no web address.');
  }
  const wrong = input.capabilities?.filter((name) => !grantableCapabilities.includes(name)) ?? [];
  if (custom !== (input.capabilities !== undefined)) {
    refuse('capabilities', 'A custom role names its capabilities, the others have theirs.');
  } else if (wrong.length > 0) {
    refuse('capabilities', `These cannot be given to a member: ${wrong.join(', ')}.`);
  }
  return details;
}

/** Of a role that was checked: each capability once, in the order they are listed in. */
export function toMembership(given: GivenRole): Membership {
  const { role, roleName, capabilities: named } = given;
  return {
    role,
    roleName: roleName?.trim() ?? null,
    capabilities:
      named === undefined ? null : capabilities.filter((capability) => named.includes(capability)),
  };
}
