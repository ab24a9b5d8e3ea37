import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Capability, grantableCapabilities } from '../../../lib/team-roles.ts';
import type { Role } from '../enumerations.ts';
import type { Membership } from '../relation.ts';
import { capabilitiesOf, grantableBy, mayManage, rolesGivenBy } from './roles.ts';

const fixed = (role: Exclude<Role, 'custom'>): Membership => ({
  role,
  roleName: null,
  capabilities: null,
});
const custom = (...capabilities: Capability[]): Membership => ({
  role: 'custom',
  roleName: 'Custom',
  capabilities,
});

const members: Readonly<Record<string, Membership>> = {
  owner: fixed('owner'),
  admin: fixed('admin'),
  editor: fixed('editor'),
  analyst: fixed('analyst'),
  cohost: fixed('cohost'),
  'lead (episodes.edit, guests.private_notes, team.manage)': custom(
    'episodes.edit',
    'guests.private_notes',
    'team.manage',
  ),
  'clerk (episodes.edit)': custom('episodes.edit'),
  'nobody in particular ()': custom(),
};
const who = Object.values(members);

// Rows: the acting role. Columns: the role that is given or managed, in the order above.
const table = (rows: Readonly<Record<string, string>>) =>
  Object.entries(rows).map(([name, row]) => ({
    name,
    manager: members[name]!,
    allowed: [...row.replaceAll(' ', '')].map((cell) => cell === '+'),
  }));

const lead = 'lead (episodes.edit, guests.private_notes, team.manage)';
const clerk = 'clerk (episodes.edit)';
const none = 'nobody in particular ()';

describe('the permission to give, change or end a membership', () => {
  it.each(
    table({
      // o a e y c l k n
      owner: '. + + + + + + +',
      admin: '. . + + + + + +',
      editor: '. . . . . . . .',
      analyst: '. . . . . . . .',
      cohost: '. . . . . . . .',
      [lead]: '. . . . + + + +',
      [clerk]: '. . . . . . . .',
      [none]: '. . . . . . . .',
    }),
  )('$name: $allowed', ({ manager, allowed }) => {
    expect(who.map((member) => mayManage(manager, member))).toEqual(allowed);
  });
});

describe('the roles that a member may give', () => {
  it.each([
    ['owner', 'admin editor analyst cohost custom'],
    ['admin', 'editor analyst cohost custom'],
    ['editor', ''],
    ['analyst', ''],
    ['cohost', ''],
    [lead, 'cohost custom'],
    [clerk, ''],
    [none, ''],
  ])('%s: %s', (name, given) => {
    expect(rolesGivenBy(members[name]!).join(' ')).toBe(given);
  });

  it('a custom role may include what its giver has, without the end and the move of the show', () => {
    expect(grantableBy(fixed('owner'))).toEqual(grantableCapabilities);
    expect(grantableBy(fixed('admin'))).toEqual(grantableCapabilities);
    expect(grantableBy(members[lead]!)).toEqual(members[lead]!.capabilities);
    expect(grantableBy(fixed('editor'))).toEqual([]);
  });
});

const anyMember: fc.Arbitrary<Membership> = fc.oneof(
  fc.constantFrom(...who),
  fc.subarray([...grantableCapabilities]).map((capabilities) => custom(...capabilities)),
);

// ACCT-16, ACCT-17
it('managers can only grant or remove what they have, and only the owner an admin’s role', () => {
  fc.assert(
    fc.property(anyMember, anyMember, (manager, granted) => {
      fc.pre(mayManage(manager, granted));
      const own = capabilitiesOf(manager);
      expect(own).toEqual(expect.arrayContaining([...capabilitiesOf(granted)]));
      expect(own).toContain('team.manage');
      if (granted.role === 'admin') expect(manager.role).toBe('owner');
      expect(capabilitiesOf(granted)).not.toContain('show.pause_delete');
      expect(capabilitiesOf(granted)).not.toContain('show.move_feed');
    }),
  );
});

// ACCT-16
it('owners and admins give a custom role any capability that can be given', () => {
  fc.assert(
    fc.property(fc.subarray([...grantableCapabilities]), (capabilities) => {
      expect(mayManage(fixed('owner'), custom(...capabilities))).toBe(true);
      expect(mayManage(fixed('admin'), custom(...capabilities))).toBe(true);
    }),
  );
});
