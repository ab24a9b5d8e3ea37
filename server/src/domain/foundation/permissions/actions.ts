import type { Capability } from '../../../lib/team-roles.ts';
import type { Scope } from '../enumerations.ts';

/** What an action requires in addition to membership, which every action requires. */
export interface Rule {
  /** The scope a key must hold. Without a scope no key may do it. */
  readonly scope?: Scope;
  /** The capability the member's role must include. */
  readonly capability?: Capability;
  /**
   * An episode that shares its transcript needs no capability: any member who sees the episode may
   * read it, e.g. an analyst, not only co-hosts.
   */
  readonly unlessShared?: true;
  /** Only the owner may do it: always, or with a key. A capability is not enough. */
  readonly ownerOnly?: 'always' | 'with a key';
  /** Only the owner and admins may do it, because it concerns more than one capability. */
  readonly administratorsOnly?: true;
  /**
   * Only members who see every episode may do it. Others would not see the result, or would see
   * more by it.
   */
  readonly seesAllEpisodes?: true;
}

const rules = {
  'podcast.read': { scope: 'podcasts:read' },
  'people.read': { scope: 'episodes:read' },
  'episodes.read': { scope: 'episodes:read' },
  'transcript.read': {
    scope: 'transcripts:read',
    capability: 'episodes.transcript_settings',
    unlessShared: true,
  },
  'analytics.read': {
    scope: 'analytics:read',
    capability: 'analytics.view',
    ownerOnly: 'with a key',
  },
  'platforms.read': {
    scope: 'analytics:read',
    capability: 'analytics.view',
    ownerOnly: 'with a key',
  },

  'platforms.import': { capability: 'show.import' },
  'episode.create': { capability: 'episodes.create', seesAllEpisodes: true },
  'episode.edit': { capability: 'episodes.edit' },
  'transcript.edit': { capability: 'episodes.transcript_settings' },
  'episode.publish': { capability: 'episodes.publish' },
  'episode.delete': { capability: 'episodes.delete' },
  'people.edit': { capability: 'episodes.people' },
  // A credit lets a user see the episode.
  'people.link': { capability: 'episodes.people', seesAllEpisodes: true },
  'podcast.edit': { capability: 'show.settings' },
  'podcast.check': { capability: 'episodes.view_all' },
  'podcast.export': { administratorsOnly: true },
  'domain.manage': { administratorsOnly: true },
  'webhooks.manage': { administratorsOnly: true },
  'podcast.import': { capability: 'show.import' },
  'podcast.move': { capability: 'show.move_feed' },
  'podcast.pause': { capability: 'show.pause_delete' },
  'podcast.delete': { capability: 'show.pause_delete' },

  'team.belong': {},
  'team.manage': { capability: 'team.manage' },
  'team_keys.set': { ownerOnly: 'always' },
  'keys.cut_off': { ownerOnly: 'always' },
  'ownership.offer': { ownerOnly: 'always' },
} satisfies Readonly<Record<string, Rule>>;

/** Everything a member may do with a podcast or its episodes. */
export type Action = keyof typeof rules;

/** What a key that holds the scope may do. */
export type KeyedAction = {
  [A in Action]: (typeof rules)[A] extends { readonly scope: Scope } ? A : never;
}[Action];

export const actions = Object.keys(rules) as Action[];

/**
 * The feed has only episodes with audio. So the first audio of a published episode puts it there, and
 * removing the audio of one that is out, or about to be, takes it away: both need `episode.publish` as
 * well. A new recording in the place of another changes nothing there, unless it is far shorter.
 */
export function audioDecidesFeed(change: 'add' | 'remove', status: string): boolean {
  return status === 'published' || (change === 'remove' && status === 'scheduled');
}

export const ruleOf: (action: Action) => Rule = (action) => rules[action];

/** What a connected site does for itself, by the scope its key must hold. */
const siteScopes = {
  'site.act': 'sites:write',
  'site.read_changes': 'episodes:read',
} as const satisfies Readonly<Record<string, Scope>>;

/** Only the keys of sites may do it; it concerns no podcast. */
export type SiteAction = keyof typeof siteScopes;

export function isSiteAction(action: Action | SiteAction): action is SiteAction {
  return Object.hasOwn(siteScopes, action);
}

export function scopeOf(action: KeyedAction | SiteAction): Scope {
  return isSiteAction(action) ? siteScopes[action] : rules[action].scope;
}
