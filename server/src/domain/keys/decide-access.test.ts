import { describe, expect, it } from 'vitest';
import { planIds } from '../accounts/index.ts';
import type { DomainError } from '../errors.ts';
import { type Capability, type Membership, roles } from '../podcasts/index.ts';
import type { Access, EpisodeAccess } from './caller.ts';
import { decideAccess, type Need, refuseScope } from './decide-access.ts';
import { type Scope, scopes } from './key.ts';

const outcome = (attempt: () => unknown): string => {
  try {
    attempt();
    return 'granted';
  } catch (error) {
    return (error as DomainError).kind;
  }
};

const custom = (...capabilities: Capability[]): Membership => ({
  role: 'custom',
  roleName: 'Clerk',
  capabilities,
});
const memberships: readonly Membership[] = [
  ...roles
    .filter((role) => role !== 'custom')
    .map((role) => ({ role, roleName: null, capabilities: null })),
  custom(),
  custom('episodes.view_all'),
  custom('show.api_access'),
  custom('analytics.view', 'episodes.transcript_settings', 'show.api_access'),
];
const episodes: readonly (EpisodeAccess | undefined)[] = [
  undefined,
  ...[true, false].flatMap((isCredited) =>
    [true, false].map((sharesTranscript) => ({ id: 'e', isCredited, sharesTranscript })),
  ),
];
const needs: readonly Need[] = [
  {},
  { capability: 'analytics.view' },
  { capability: 'analytics.view', ownerOnly: true },
  { ownerOnly: true },
  { transcript: true },
];

const open: Access = {
  podcastId: 'p',
  accountId: 'a',
  plan: 'creator',
  planState: 'active',
  hostingType: 'hosted',
  teamKeys: true,
  membership: { role: 'owner', roleName: null, capabilities: null },
  keyReaches: true,
  episode: undefined,
};

/** What roles can do here, written down once more, apart from the code. */
const canViewAll = ({ role, capabilities }: Membership) =>
  ['owner', 'admin', 'editor', 'analyst'].includes(role) ||
  (capabilities ?? []).includes('episodes.view_all');
const hasApiAccess = ({ role, capabilities }: Membership) =>
  ['owner', 'admin'].includes(role) || (capabilities ?? []).includes('show.api_access');
const canViewAnalytics = ({ role, capabilities }: Membership) =>
  ['owner', 'admin', 'analyst'].includes(role) || (capabilities ?? []).includes('analytics.view');
const canSetTranscripts = ({ role, capabilities }: Membership) =>
  ['owner', 'admin', 'editor'].includes(role) ||
  (capabilities ?? []).includes('episodes.transcript_settings');

/** The clauses of service.md, "Authentication" 5, in the order of decisions.md §2. */
function expected(access: Access, need: Need): string {
  const { membership, episode } = access;
  if (membership === undefined) return 'not_found';
  if (!access.keyReaches) return 'not_found';
  if (episode !== undefined && !episode.isCredited && !canViewAll(membership)) return 'not_found';
  if (access.planState !== 'active') return 'plan_upgrade_required';
  if (access.plan === 'free') return 'plan_upgrade_required';
  if (!access.teamKeys && !hasApiAccess(membership)) return 'forbidden';
  if (need.ownerOnly && membership.role !== 'owner') return 'forbidden';
  if (need.capability !== undefined && !canViewAnalytics(membership)) return 'forbidden';
  if (need.transcript && !canSetTranscripts(membership) && episode?.sharesTranscript !== true) {
    return 'forbidden';
  }
  return 'granted';
}

function* everyCase(): Generator<readonly [Access, Need]> {
  for (const membership of [undefined, ...memberships])
    for (const keyReaches of [true, false])
      for (const teamKeys of [true, false])
        for (const plan of planIds)
          for (const planState of ['active', 'lapsed'] as const)
            for (const episode of episodes)
              for (const need of needs)
                yield [
                  { ...open, membership, keyReaches, teamKeys, plan, planState, episode },
                  need,
                ];
}

describe('decideAccess', () => {
  it('holds every combination of its conditions against the contract', () => {
    const seen = new Set<string>();
    for (const [access, need] of everyCase()) {
      const decided = outcome(() => decideAccess(access, need));
      seen.add(decided);
      if (decided !== expected(access, need)) {
        expect.fail(`${decided} for ${JSON.stringify({ access, need })}`);
      }
    }
    expect(seen).toEqual(new Set(['granted', 'not_found', 'plan_upgrade_required', 'forbidden']));
  });

  // One condition taken from an access that is granted, each with its answer.
  const cohost: Membership = { role: 'cohost', roleName: null, capabilities: null };
  const on = { id: 'e', isCredited: true, sharesTranscript: true };
  it.each<[string, Partial<Access>, Need, string]>([
    ['the owner', {}, {}, 'granted'],
    ['a stranger', { membership: undefined }, {}, 'not_found'],
    ['a key without the podcast', { keyReaches: false }, {}, 'not_found'],
    ['a free plan', { plan: 'free' }, {}, 'plan_upgrade_required'],
    ['a lapsed plan', { planState: 'lapsed' }, {}, 'plan_upgrade_required'],
    ['the owner, team keys off', { teamKeys: false }, {}, 'granted'],
    ['a member', { membership: cohost }, {}, 'granted'],
    ['a member, team keys off', { membership: cohost, teamKeys: false }, {}, 'forbidden'],
    ['a co-host on the episode', { membership: cohost, episode: on }, {}, 'granted'],
    [
      'a co-host not on it',
      { membership: cohost, episode: { ...on, isCredited: false } },
      {},
      'not_found',
    ],
    [
      'a co-host, transcript shared',
      { membership: cohost, episode: on },
      { transcript: true },
      'granted',
    ],
    [
      'a co-host, transcript not shared',
      { membership: cohost, episode: { ...on, sharesTranscript: false } },
      { transcript: true },
      'forbidden',
    ],
  ])('%s', (_case, changes, need, answer) => {
    expect(outcome(() => decideAccess({ ...open, ...changes }, need))).toBe(answer);
  });

  it('refuses what does not exist as it refuses what cannot be reached', () => {
    const refusal = (access: Access | undefined) => {
      try {
        decideAccess(access, {});
      } catch (error) {
        const { kind, message, details } = error as DomainError;
        return { kind, message, details };
      }
      return undefined;
    };
    expect(refusal(undefined)).toEqual(refusal({ ...open, membership: undefined }));
    expect(refusal(undefined)?.kind).toBe('not_found');
  });
});

it('refuses a scope that the key does not hold', () => {
  for (const held of scopes) {
    const answers = scopes.map((scope: Scope) =>
      outcome(() => refuseScope({ scopes: [held] }, scope)),
    );
    expect(answers).toEqual(
      scopes.map((scope) => (scope === held ? 'granted' : 'insufficient_scope')),
    );
  }
});
