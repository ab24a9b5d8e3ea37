import { expect, it } from 'vitest';
import { type FixedRole, givableRoles } from '../../../server/src/lib/team-roles.ts';
import { rolesToGive } from './roles.ts';

const holder = (role: FixedRole) => ({ role, capabilities: givableRoles[role] });

it('an owner gives every role, an admin none above, an editor none', () => {
  const all = ['admin', 'editor', 'analyst', 'cohost'];
  expect(rolesToGive({ role: 'owner', capabilities: [] })).toEqual(all);
  expect(rolesToGive(holder('admin'))).toEqual(['editor', 'analyst', 'cohost']);
  expect(rolesToGive(holder('editor'))).toEqual([]);
});
