/** Who may do what on a podcast. Names and sets are part of the public contract. */
export const capabilities = [
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
  'show.move_feed',
  'show.pause_delete',
  'show.settings',
  'team.manage',
] as const;
export type Capability = (typeof capabilities)[number];

export const roles = ['owner', 'admin', 'editor', 'analyst', 'cohost', 'custom'] as const;
export type Role = (typeof roles)[number];

/** Who administers a podcast (the contract, "Authentication", 7): they may connect it to sites. */
export const administeringRoles: readonly Role[] = ['owner', 'admin'];

/** The owner cannot grant these: they end or move the show. */
const notGrantable: readonly Capability[] = ['show.pause_delete', 'show.move_feed'];

export const grantableCapabilities: readonly Capability[] = capabilities.filter(
  (capability) => !notGrantable.includes(capability),
);

const fixedRoles: Record<
  Exclude<Role, 'custom'>,
  { name: string; capabilities: readonly Capability[] }
> = {
  owner: { name: 'Owner', capabilities },
  admin: { name: 'Admin', capabilities: grantableCapabilities },
  editor: {
    name: 'Editor',
    capabilities: [
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
  },
  analyst: {
    name: 'Analyst',
    capabilities: ['analytics.history', 'analytics.reports', 'analytics.view', 'episodes.view_all'],
  },
  cohost: { name: 'Co-host', capabilities: ['episodes.edit', 'guests.private_notes'] },
};

/** A member's role as stored; only `custom` has a name and capabilities of its own. */
export interface Membership {
  readonly role: Role;
  readonly roleName: string | null;
  readonly capabilities: readonly Capability[] | null;
}

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
}

export function roleOf(membership: Membership): MemberRole {
  return {
    role: membership.role,
    roleName: roleNameOf(membership),
    capabilities: capabilitiesOf(membership),
  };
}

/** Lists the fixed roles that include a capability; a custom role may include it too. */
export function rolesWith(capability: Capability): readonly Role[] {
  return roles.filter(
    (role) => role !== 'custom' && fixedRoles[role].capabilities.includes(capability),
  );
}
