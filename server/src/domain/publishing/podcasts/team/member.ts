import { containsWebAddress, isDisplayName } from '../../../../lib/display-name.ts';
import { maxChars } from '../../../../lib/limits.ts';
import { type Role, roles } from '../../../foundation/enumerations.ts';
import type { ErrorDetail, SaidMessage } from '../../../foundation/errors.ts';
import {
  type Capability,
  capabilities,
  grantableCapabilities,
} from '../../../foundation/permissions/index.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import type { Membership } from '../../../foundation/relation.ts';

/** A role as a request assigns it. */
export interface GivenRole {
  readonly role: Role;
  /** Required for `custom`; other roles have none. */
  readonly roleName?: string | undefined;
  readonly capabilities?: readonly Capability[] | undefined;
}

export interface NewMember extends GivenRole {
  readonly podcastId: string;
  readonly userId: string;
}

/** Somebody on a podcast's team, as its members see them. */
export interface Member extends Membership {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
}

export interface CountedMember extends Member {
  /** How many episodes credit them themselves: the roster does not count. */
  readonly creditedEpisodes: number;
}

/** A podcast's team, as a manager sees it, and what they may do with it. */
export interface Team {
  /** The owner first, then the others by when they joined. */
  readonly members: readonly ManagedMember[];
  /** The roles in which the manager may invite somebody. */
  readonly mayInviteAs: readonly Role[];
  /** What a custom role may include that the manager gives. */
  readonly mayGrant: readonly Capability[];
}

export interface ManagedMember extends CountedMember {
  /** The roles that the manager may give this member; none for a member of a higher role. */
  readonly mayBecome: readonly Role[];
  readonly mayRemove: boolean;
}

/** Limits the sum of a podcast's members and open invitations. */
export const maxTeamSize = 500;

/** Returns all validation errors; without a role, nothing can be checked. */
export function checkMember(input: Partial<GivenRole>): ErrorDetail[] {
  if (input.role === undefined) return [];
  const details: ErrorDetail[] = [];
  const refuse = (field: string, said: string | SaidMessage) =>
    void details.push({ field, ...(typeof said === 'string' ? { message: said } : said) });
  if (input.role === 'owner' || !roles.includes(input.role)) {
    const givable = roles.filter((role) => role !== 'owner').join(', ');
    refuse('role', `A member's role must be one of ${givable}.`);
  }
  const custom = input.role === 'custom';
  if (custom !== (input.roleName !== undefined)) {
    refuse('role_name', 'Only custom roles have names, and they must have one.');
  } else if (input.roleName !== undefined && !isDisplayName(input.roleName, maxChars.roleName)) {
    refuse('role_name', sayRefusal('role_name_length', { max: maxChars.roleName }));
  } else if (input.roleName !== undefined && containsWebAddress(input.roleName)) {
    refuse('role_name', sayRefusal('role_name_web_address'));
  }
  const wrong = input.capabilities?.filter((name) => !grantableCapabilities.includes(name)) ?? [];
  if (custom !== (input.capabilities !== undefined)) {
    refuse('capabilities', 'Only custom roles have capabilities, and they must have some.');
  } else if (wrong.length > 0) {
    refuse('capabilities', `These cannot be given to a member: ${wrong.join(', ')}.`);
  }
  return details;
}

/** Converts a valid role; lists each capability once, in the order of `capabilities`. */
export function toMembership(given: GivenRole): Membership {
  const { role, roleName, capabilities: named } = given;
  return {
    role,
    roleName: roleName?.trim() ?? null,
    capabilities:
      named === undefined ? null : capabilities.filter((capability) => named.includes(capability)),
  };
}
