import { describe, expect, it } from 'vitest';
import type { Capability } from '../../../lib/team-roles.ts';
import { roles, scopes } from '../enumerations.ts';
import type { DomainError } from '../errors.ts';
import { anyone, type KeyPrincipal, operator, type UserPrincipal } from '../principal.ts';
import type { EpisodeRelation, KeyRelation, Membership, Relation } from '../relation.ts';
import { type Action, actions, type SiteAction } from './actions.ts';
import { decide, requireRegistered, requireScope } from './authorize.ts';

const outcome = (attempt: () => unknown): string => {
  try {
    attempt();
    return 'granted';
  } catch (error) {
    return (error as DomainError).kind ?? String(error);
  }
};

const custom = (...capabilities: Capability[]): Membership => ({
  role: 'custom',
  roleName: 'Clerk',
  capabilities,
});
const fixed = (role: Membership['role']): Membership => ({
  role,
  roleName: null,
  capabilities: null,
});
const memberships: readonly (Membership | undefined)[] = [
  undefined,
  ...roles.filter((role) => role !== 'custom').map(fixed),
  custom(),
  custom('episodes.view_all'),
  custom('analytics.view', 'episodes.transcript_settings', 'show.import'),
  custom('show.settings'),
  custom('episodes.create'),
  custom('episodes.create', 'episodes.view_all'),
  custom('episodes.people'),
  custom('episodes.people', 'episodes.view_all'),
];
const episodes: readonly (EpisodeRelation | undefined)[] = [
  undefined,
  ...[true, false].flatMap((isCredited) =>
    [true, false].map((sharesTranscript) => ({ id: 'e', isCredited, sharesTranscript })),
  ),
];

const goodKey: KeyRelation = {
  accountId: 'a',
  planState: 'active',
  planIncludesApi: true,
  isCovered: true,
  isAllowed: true,
};
const keys: readonly KeyRelation[] = [true, false].flatMap((planIncludesApi) =>
  [true, false].flatMap((isCovered) =>
    [true, false].map((isAllowed) => ({ ...goodKey, planIncludesApi, isCovered, isAllowed })),
  ),
);

const user: UserPrincipal = { kind: 'user', userId: 'u' };
const key = (kind: 'key' | 'site'): KeyPrincipal => ({
  kind,
  userId: 'u',
  user: {
    name: 'Ana',
    email: 'a@example.com',
    acceptedTerms: null,
    plan: 'free',
    planState: 'active',
  },
  key: {
    id: 'k',
    name: 'Key',
    lastFour: '1234',
    expiresAt: new Date(0),
    scopes: ['podcasts:read'],
    allPodcasts: true,
    createdAt: new Date(0),
  },
  site: undefined,
  requested: undefined,
});

/** What each action requires, written from docs/contract and not from the code. */
const everyone = ['owner', 'admin', 'editor', 'analyst', 'cohost', 'custom'];
const doers: Readonly<Record<Action, readonly string[]>> = {
  'podcast.read': everyone,
  'people.read': everyone,
  'episodes.read': everyone,
  'transcript.read': ['owner', 'admin', 'editor', 'episodes.transcript_settings'],
  'transcript.edit': ['owner', 'admin', 'editor', 'episodes.transcript_settings'],
  'analytics.read': ['owner', 'admin', 'analyst', 'analytics.view'],
  'platforms.read': ['owner', 'admin', 'analyst', 'analytics.view'],
  'platforms.import': ['owner', 'admin', 'show.import'],
  'episode.create': ['owner', 'admin', 'editor', 'episodes.create'],
  'episode.edit': ['owner', 'admin', 'editor', 'cohost'],
  'episode.publish': ['owner', 'admin', 'editor'],
  'episode.delete': ['owner', 'admin'],
  'people.edit': ['owner', 'admin', 'editor', 'episodes.people'],
  'people.link': ['owner', 'admin', 'editor', 'episodes.people'],
  'podcast.edit': ['owner', 'admin', 'show.settings'],
  'podcast.check': ['owner', 'admin', 'editor', 'analyst', 'episodes.view_all'],
  'podcast.export': ['owner', 'admin'],
  'domain.manage': ['owner', 'admin'],
  'webhooks.manage': ['owner', 'admin'],
  'podcast.import': ['owner', 'admin', 'show.import'],
  'podcast.move': ['owner'],
  'podcast.pause': ['owner'],
  'podcast.delete': ['owner'],
  'team.belong': everyone,
  'team.manage': ['owner', 'admin'],
  'team_keys.set': ['owner'],
  'keys.cut_off': ['owner'],
  'ownership.offer': ['owner'],
};

const isAmong = (names: readonly string[], { role, capabilities }: Membership) =>
  names.includes(role) || (capabilities ?? []).some((held) => names.includes(held));

/** The conditions in the order of AUTH-5. */
function expected(withKey: boolean, action: Action, relation: Relation): string {
  const { membership, episode, key } = relation;
  if (membership === undefined) return 'not_found';
  if (withKey && !key?.isCovered) return 'not_found';
  const seesAll = isAmong(['owner', 'admin', 'editor', 'analyst', 'episodes.view_all'], membership);
  if (episode !== undefined && !episode.isCredited && !seesAll) return 'not_found';
  if (withKey && !key?.planIncludesApi) return 'plan_upgrade_required';
  if (withKey && !key?.isAllowed) return 'forbidden';
  const isAnalytics = action === 'analytics.read' || action === 'platforms.read';
  if (withKey && isAnalytics && membership.role !== 'owner') return 'forbidden';
  if (action === 'transcript.read' && episode?.sharesTranscript) return 'granted';
  if ((action === 'episode.create' || action === 'people.link') && !seesAll) return 'forbidden';
  return isAmong(doers[action], membership) ? 'granted' : 'forbidden';
}

/** With and without what the plan Studio adds: verbs check that after a role has been granted. */
const inPlans = (action: Action) =>
  ['creator', 'studio'].map((plan): readonly [Action, string] => [action, plan]);

function* everyCase(): Generator<readonly [UserPrincipal | KeyPrincipal, Action, Relation]> {
  for (const membership of memberships)
    for (const episode of episodes)
      for (const [action, plan] of actions.flatMap(inPlans)) {
        const relation = { podcastId: 'p', plan, membership, episode, key: undefined };
        yield [user, action, relation];
        // A relation that was not loaded for a key lets no key pass.
        yield [key('key'), action, relation];
        for (const kind of ['key', 'site'] as const)
          for (const keyRelation of keys)
            yield [key(kind), action, { ...relation, key: keyRelation }];
      }
}

describe('a decision', () => {
  // AUTH-5, AUTH-8, AUTH-9, AUTH-10
  it('a decision is that of AUTH-5, for every combination of its conditions', () => {
    const seen = new Set<string>();
    for (const [principal, action, relation] of everyCase()) {
      const decided = outcome(() => decide(principal, action, relation, 'podcast'));
      seen.add(decided);
      if (decided !== expected(principal.kind !== 'user', action, relation)) {
        expect.fail(`${decided}: ${JSON.stringify({ by: principal.kind, action, relation })}`);
      }
    }
    expect(seen).toEqual(new Set(['granted', 'not_found', 'plan_upgrade_required', 'forbidden']));
  });

  const podcast: Relation = {
    podcastId: 'p',
    plan: 'creator',
    membership: fixed('owner'),
    episode: undefined,
    key: undefined,
  };

  it('refuses a missing podcast like one that cannot be reached', () => {
    const refusal = (relation: Relation | undefined) => {
      try {
        decide(user, 'podcast.read', relation, 'podcast');
      } catch (error) {
        const { kind, message, details } = error as DomainError;
        return { kind, message, details };
      }
      return undefined;
    };
    expect(refusal(undefined)).toEqual(refusal({ ...podcast, membership: undefined }));
    expect(refusal(undefined)?.kind).toBe('not_found');
  });

  it('a decision distinguishes a plan that has lapsed from one without the API', () => {
    const refuse = (plan: string, planState: KeyRelation['planState']) => () => {
      const without = { ...goodKey, planIncludesApi: false, planState };
      decide(key('key'), 'podcast.read', { ...podcast, plan, key: without }, 'podcast');
    };
    expect(refuse('creator', 'lapsed')).toThrow("This podcast's plan has lapsed.");
    expect(refuse('free', 'active')).toThrow("This podcast's plan does not include the API.");
  });

  it('fails for a plan that has the API without a quota', () => {
    const broken = { ...podcast, plan: 'free', key: goodKey };
    expect(() => decide(key('key'), 'podcast.read', broken, 'podcast')).toThrow(
      'the plan free does not include the API',
    );
  });

  // AUTH-12
  it('a decision says which episodes are seen', () => {
    const seenBy = (membership: Membership) =>
      decide(user, 'episodes.read', { ...podcast, membership }, 'podcast').creditedUserId;
    expect(seenBy(fixed('owner'))).toBeUndefined();
    expect(seenBy(fixed('analyst'))).toBeUndefined();
    expect(seenBy(custom('episodes.view_all'))).toBeUndefined();
    expect(seenBy(fixed('cohost'))).toBe('u');
    expect(seenBy(custom('show.api_access'))).toBe('u');
  });

  // LIM-6
  it('a decision names the account whose quota a key uses, and none for a user', () => {
    const read = (principal: UserPrincipal | KeyPrincipal, relation: Relation) =>
      decide(principal, 'podcast.read', relation, 'podcast').quota;
    expect(read(key('key'), { ...podcast, plan: 'studio', key: goodKey })).toEqual({
      accountId: 'a',
      requestsPerMinute: 120,
    });
    expect(read(user, podcast)).toBeUndefined();
  });

  it('a decision names the plan of the podcast, for users and keys', () => {
    const studio = { ...podcast, plan: 'studio' };
    const planFor = (principal: UserPrincipal | KeyPrincipal, relation: Relation) =>
      decide(principal, 'podcast.read', relation, 'podcast').plan?.id;
    expect(planFor(user, studio)).toBe('studio');
    expect(planFor(key('key'), { ...studio, key: goodKey })).toBe('studio');
  });
});

describe('a scope', () => {
  // AUTH-3, AUTH-4, ERR-9
  it('a scope is what a key must hold for the action', () => {
    const needed: Readonly<Partial<Record<Action, string>>> = {
      'podcast.read': 'podcasts:read',
      'people.read': 'episodes:read',
      'episodes.read': 'episodes:read',
      'transcript.read': 'transcripts:read',
      'analytics.read': 'analytics:read',
      'platforms.read': 'analytics:read',
    };
    for (const action of actions)
      for (const scope of scopes) {
        const { key: its, ...holder } = key('key');
        const principal = { ...holder, key: { ...its, scopes: [scope] } };
        const without = needed[action] === undefined ? 'forbidden' : 'insufficient_scope';
        const expectation = needed[action] === scope ? 'granted' : without;
        expect(
          outcome(() => requireScope({ principal }, action)),
          action,
        ).toBe(expectation);
      }
  });

  // AUTH-16
  it('a scope has no effect on the actions of sites without the key of a site', () => {
    const needed: Readonly<Record<SiteAction, string>> = {
      'site.act': 'sites:write',
      'site.read_changes': 'episodes:read',
    };
    for (const [action, scope] of Object.entries(needed))
      for (const kind of ['key', 'site'] as const)
        for (const held of ['sites:write', 'episodes:read', 'podcasts:read'] as const) {
          const { key: its, ...holder } = key(kind);
          const principal = { ...holder, key: { ...its, scopes: [held] } };
          const expectation = kind === 'site' && held === scope ? 'granted' : 'insufficient_scope';
          expect(outcome(() => requireScope({ principal }, action as SiteAction))).toBe(
            expectation,
          );
        }
    const refused = () => requireScope({ principal: key('key') }, 'site.act');
    expect(refused).toThrow('This is for the keys of connected sites.');
  });

  it('a scope is held by keys alone', () => {
    for (const principal of [anyone, operator, user]) {
      expect(outcome(() => requireScope({ principal }, 'podcast.read'))).toBe('forbidden');
    }
  });
});

describe('a registration', () => {
  // SITE-9
  it('a registration is required of the keys of sites alone', () => {
    const site = {
      id: 's',
      siteUrl: 'https://a.example',
      status: 'active',
      transcripts: false,
    } as const;
    expect(outcome(() => requireRegistered(key('key')))).toBe('granted');
    expect(outcome(() => requireRegistered({ ...key('site'), site }))).toBe('granted');
    expect(outcome(() => requireRegistered(key('site')))).toBe('forbidden');
  });
});
