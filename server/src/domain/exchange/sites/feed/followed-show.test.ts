import { describe, expect, it } from 'vitest';
import type { Membership } from '../../../foundation/relation.ts';
import { creditedUserOf, type ShowState, settingsOf, stateOf } from './followed-show.ts';

const as = (role: Membership['role']): Membership => ({ role, roleName: null, capabilities: null });
const followed = {
  podcastId: 'p',
  exists: true,
  isNamed: true,
  membership: as('owner') as Membership | undefined,
  planIncludesApi: true,
  isReadable: true,
  status: 'active' as const,
};

describe('the state of a show', () => {
  it.each<[ShowState, string, object]>([
    ['live', 'as usual', {}],
    ['live', 'moved', { status: 'moved' }],
    ['waiting', 'a draft', { status: 'draft' }],
    ['waiting', 'paused', { status: 'paused' }],
    ['waiting', 'suspended', { status: 'overage_suspended' }],
    ['withheld', 'team keys off', { isReadable: false }],
    ['withheld', 'no plan with API', { planIncludesApi: false, isReadable: false }],
    ['withheld', 'paused, and team keys off', { isReadable: false, status: 'paused' }],
    ['lost', 'not named, or cut off', { isNamed: false }],
    ['lost', 'the user is no member', { membership: undefined }],
    ['lost', 'not named, and paused', { isNamed: false, status: 'paused' }],
    ['lost', 'no member, and the plan lapsed', { membership: undefined, isReadable: false }],
    ['gone', 'deleted', { exists: false, isNamed: false, membership: undefined, status: null }],
  ])('the state of a show is %s: %s', (state, _, facts) => {
    expect(stateOf({ ...followed, ...facts })).toBe(state);
  });
});

describe('the user whose credits decide', () => {
  it.each([
    ['owner', undefined],
    ['admin', undefined],
    ['editor', undefined],
    ['analyst', undefined],
    ['cohost', 'u'],
  ] as const)('the user whose credits decide for %s is: %s', (role, userId) => {
    expect(creditedUserOf({ membership: as(role) }, 'u')).toBe(userId);
  });

  it('the user whose credits decide follows the capabilities of a custom role', () => {
    const custom = (capabilities: Membership['capabilities']) =>
      creditedUserOf({ membership: { role: 'custom', roleName: 'Helper', capabilities } }, 'u');
    expect(custom(['episodes.view_all'])).toBeUndefined();
    expect(custom(['episodes.edit'])).toBe('u');
  });
});

it('settings depend on the hosts, on transcripts and on the user whose credits decide', () => {
  const hosts = { baseUrl: 'https://a.example', embedUrl: 'https://a.example' };
  const site = { userId: 'u', transcripts: false };
  const settings = [
    settingsOf(hosts, site, followed),
    settingsOf({ ...hosts, baseUrl: 'https://b.example' }, site, followed),
    settingsOf({ ...hosts, embedUrl: 'https://b.example' }, site, followed),
    settingsOf(hosts, { ...site, transcripts: true }, followed),
    settingsOf(hosts, site, { membership: as('cohost') }),
    settingsOf(hosts, { ...site, userId: 'v' }, { membership: as('cohost') }),
  ];
  expect(new Set(settings).size).toBe(settings.length);
  expect(settingsOf(hosts, { ...site, userId: 'v' }, { membership: as('admin') })).toBe(
    settings[0],
  );
});
