import { useLingui } from '@lingui/react/macro';
import type { Capability, MemberRole } from '../../api/team.ts';

/** Roles and capabilities in words. */

export function useRoleWords(): Readonly<Record<MemberRole, readonly [string, string]>> {
  const { t } = useLingui();
  return {
    admin: [t`Admin`, t`Can do everything except pause, delete or move the show`],
    editor: [t`Editor`, t`Can write, publish and schedule all episodes`],
    analyst: [t`Analyst`, t`Can view all episodes and their downloads, but not edit`],
    cohost: [
      t`Co-host`,
      t`Can view and edit the episodes that credit them, once they’re linked under Show › People`,
    ],
    custom: [t`Custom role`, t`Choose what it includes`],
  };
}

export interface CapabilityGroup {
  readonly label: string;
  readonly hint?: string;
  readonly capabilities: readonly (readonly [Capability, string])[];
}

export function useCapabilityGroups(): readonly CapabilityGroup[] {
  const { t } = useLingui();
  return [
    {
      label: t`Episodes`,
      capabilities: [
        ['episodes.view_all', t`See all episodes (otherwise only those that credit them)`],
        ['episodes.create', t`Create episodes`],
        ['episodes.edit', t`Edit episodes`],
        ['episodes.publish', t`Publish, schedule and archive episodes`],
        ['episodes.delete', t`Delete episodes`],
        ['episodes.people', t`Choose who is credited in an episode`],
        ['episodes.transcript_settings', t`View and edit transcripts`],
      ],
    },
    {
      label: t`Show`,
      capabilities: [
        ['analytics.view', t`See downloads`],
        ['show.settings', t`Change show settings`],
        ['show.import', t`Import feeds and other platforms’ figures`],
        ['team.manage', t`Invite people and change their roles`],
      ],
    },
    {
      label: t`For other programs`,
      hint: t`These have no effect in this app. Programs that access roles through the API can see them.`,
      capabilities: [
        ['analytics.history', t`Statistics history`],
        ['analytics.reports', t`Statistics reports`],
        ['automations.manage', t`Automations`],
        ['booking_links.manage', t`Booking links`],
        ['bookings.manage', t`Bookings`],
        ['bookings.view_all', t`See all bookings`],
        ['episodes.ai', t`AI help with episodes`],
        ['guest_network.invite', t`Invite from a guest network`],
        ['guests.invite', t`Invite guests`],
        ['guests.manage', t`Guests`],
        ['guests.private_notes', t`Private notes about guests`],
        ['guests.reputation', t`Guest reputation`],
        ['show.api_access', t`API access`],
        ['show.integrations', t`Integrations`],
      ],
    },
  ];
}
