import { useLingui } from '@lingui/react/macro';
import type {
  GrantableCapability as Capability,
  FixedRole,
} from '../../../../server/src/lib/team-roles.ts';

/** Roles and capabilities in words. */

export function useRoleWords(): Readonly<Record<FixedRole | 'custom', readonly [string, string]>> {
  const { t } = useLingui();
  return {
    admin: [t`Admin`, t`Everything except pausing, deleting or moving the show`],
    editor: [t`Editor`, t`All episodes: writes, publishes and schedules them`],
    analyst: [t`Analyst`, t`Sees all episodes and their downloads, changes nothing`],
    cohost: [
      t`Co-host`,
      t`Sees and edits the episodes that credit them, once they are linked under Show › People`,
    ],
    custom: [t`Another role`, t`Choose what it includes`],
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
        ['episodes.view_all', t`See all episodes; without it, only those that credit them`],
        ['episodes.create', t`Create episodes`],
        ['episodes.edit', t`Edit episodes`],
        ['episodes.publish', t`Publish, schedule and archive episodes`],
        ['episodes.delete', t`Delete episodes`],
        ['episodes.people', t`Say who is heard in an episode`],
        ['episodes.transcript_settings', t`Read and change transcripts`],
      ],
    },
    {
      label: t`Show`,
      capabilities: [
        ['analytics.view', t`See downloads`],
        ['show.settings', t`Change the settings of the show`],
        ['show.import', t`Import feeds, and figures of other platforms`],
        ['team.manage', t`Invite people, and change their roles`],
      ],
    },
    {
      label: t`For other programs`,
      hint: t`They change nothing in this app. Programs that read roles through the API see them.`,
      capabilities: [
        ['analytics.history', t`Figures of the past`],
        ['analytics.reports', t`Reports of figures`],
        ['automations.manage', t`Automations`],
        ['booking_links.manage', t`Links for bookings`],
        ['bookings.manage', t`Bookings`],
        ['bookings.view_all', t`See all bookings`],
        ['episodes.ai', t`Help of AI with episodes`],
        ['guest_network.invite', t`Invite from a network of guests`],
        ['guests.invite', t`Invite guests`],
        ['guests.manage', t`Guests`],
        ['guests.private_notes', t`Private notes about guests`],
        ['guests.reputation', t`Reputation of guests`],
        ['show.api_access', t`Access with the API`],
        ['show.integrations', t`Integrations`],
      ],
    },
  ];
}
