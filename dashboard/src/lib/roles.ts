import {
  type FixedRole,
  givableRoles,
  mayManage,
  type RoleHolder,
} from '../../../server/src/lib/team-roles.ts';

/** The fixed roles that somebody may give. */
export function rolesToGive(manager: RoleHolder): FixedRole[] {
  return (Object.keys(givableRoles) as FixedRole[]).filter((role) =>
    mayManage(manager, { role, capabilities: givableRoles[role] }),
  );
}
