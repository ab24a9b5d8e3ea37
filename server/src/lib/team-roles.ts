/** The roles of a podcast's team, as in ACCT-11 to ACCT-16. */
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

/** The owner cannot grant these: they end or move the show. */
const notGrantable = ['show.pause_delete', 'show.move_feed'] as const;
type GrantableCapability = Exclude<Capability, (typeof notGrantable)[number]>;

const grantable = capabilities.filter(
  (capability): capability is GrantableCapability =>
    !notGrantable.some((other) => other === capability),
);

export const grantableCapabilities: readonly Capability[] = grantable;

/** The capabilities of each role that a member may be given; `custom` members have own sets. */
export const givableRoles = {
  admin: grantable,
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
} as const satisfies Readonly<Record<string, readonly GrantableCapability[]>>;
