import { describe, expect, it } from 'vitest';
import { grantableCapabilities, roleOf } from '../../../server/src/domain/permissions/index.ts';
import { mayManage as serversRule } from '../../../server/src/domain/permissions/team-rules.ts';
import { type FixedRole, givableRoles, mayManage, rolesToGive } from './roles.ts';

const holder = (role: FixedRole | 'owner') => roleOf({ role, roleName: null, capabilities: null });
const names = Object.keys(givableRoles) as FixedRole[];

describe('the roles of the app', () => {
  it.each(names)('%s includes what the server says', (role) => {
    expect(givableRoles[role]).toEqual(holder(role).capabilities);
  });

  it('name every capability that can be given', () => {
    expect(givableRoles.admin).toEqual(grantableCapabilities);
  });

  it.each(names.flatMap((one) => names.map((other) => [one, other] as const)))(
    '%s manages %s as the server has it',
    (one, other) => {
      const membership = (role: FixedRole) => ({ role, roleName: null, capabilities: null });
      expect(mayManage(holder(one), holder(other))).toBe(
        serversRule(membership(one), membership(other)),
      );
    },
  );

  it('an owner gives every role, an admin none above, an editor none', () => {
    expect(rolesToGive(holder('owner'))).toEqual(names);
    expect(rolesToGive(holder('admin'))).toEqual(['editor', 'analyst', 'cohost']);
    expect(rolesToGive(holder('editor'))).toEqual([]);
    expect(mayManage(holder('admin'), holder('owner'))).toBe(false);
  });
});
