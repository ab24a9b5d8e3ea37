/** What the roles of a team include, as the server has it (`roles.test.ts` compares them). */
export const givableRoles = {
  admin: [
    'analytics.history',
    'analytics.reports',
    'analytics.view',
    'automations.manage',
    'booking_links.manage',
    'bookings.manage',
    'bookings.view_all',
    'episodes.ai',
    'episodes.create',
    'episodes.delete',
    'episodes.edit',
    'episodes.people',
    'episodes.publish',
    'episodes.transcript_settings',
    'episodes.view_all',
    'guest_network.invite',
    'guests.invite',
    'guests.manage',
    'guests.private_notes',
    'guests.reputation',
    'show.api_access',
    'show.import',
    'show.integrations',
    'show.settings',
    'team.manage',
  ],
  editor: [
    'bookings.manage',
    'bookings.view_all',
    'episodes.ai',
    'episodes.create',
    'episodes.edit',
    'episodes.people',
    'episodes.publish',
    'episodes.transcript_settings',
    'episodes.view_all',
    'guests.invite',
    'guests.manage',
  ],
  analyst: ['analytics.history', 'analytics.reports', 'analytics.view', 'episodes.view_all'],
  cohost: ['episodes.edit', 'guests.private_notes'],
} as const;
export type FixedRole = keyof typeof givableRoles;
export type Capability = (typeof givableRoles)['admin'][number];

interface Holder {
  readonly role: string;
  readonly capabilities: readonly string[];
}

/** Whether somebody may give, change or end such a membership: admins are the owner's. */
export function mayManage(manager: Holder, member: Holder): boolean {
  if (member.role === 'owner') return false;
  if (manager.role === 'owner') return true;
  return (
    manager.capabilities.includes('team.manage') &&
    member.role !== 'admin' &&
    member.capabilities.every((capability) => manager.capabilities.includes(capability))
  );
}

/** The fixed roles that somebody may give. */
export function rolesToGive(manager: Holder): FixedRole[] {
  return (Object.keys(givableRoles) as FixedRole[]).filter((role) =>
    mayManage(manager, { role, capabilities: givableRoles[role] }),
  );
}
