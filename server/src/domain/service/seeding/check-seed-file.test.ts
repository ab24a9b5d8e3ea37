import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../../../test/growth.ts';
import type { DomainError } from '../../foundation/errors.ts';
import { PUBLISHED_REDIRECTS } from '../../foundation/provenance/index.ts';
import { parseSeedFile } from './check-seed-file.ts';
import { SeedFileSchema } from './schema.ts';

const loading = { now: new Date('2026-03-10T12:00:00Z'), redirects: PUBLISHED_REDIRECTS };

/** The message of each problem, by field. */
function problemsOf(seedFile: unknown): Record<string, string> {
  try {
    parseSeedFile(seedFile, loading);
  } catch (error) {
    const { details } = error as DomainError;
    return Object.fromEntries(details.map(({ field, message }) => [field, message]));
  }
  return {};
}

const user = { ref: 'ana', email: 'ana@example.com', password: 'correct horse' };
const podcast = { ref: 'show', owner: 'ana', slug: 'a-show', title: 'A show' };
const episode = { ref: 'e', slug: 'one', title: 'One' };

const withUser = (changes: object) => ({ users: [{ ...user, ...changes }] });
const withPodcast = (changes: object) => ({
  users: [user],
  podcasts: [{ ...podcast, ...changes }],
});
const withKey = (changes: object) => ({
  ...withPodcast({}),
  keys: [{ ref: 'k', user: 'ana', scopes: ['podcasts:read'], ...changes }],
});
const withEpisode = (changes: object) => withPodcast({ episodes: [{ ...episode, ...changes }] });

/** A schema as far as it names properties. */
interface Named {
  readonly properties?: Readonly<Record<string, Named>>;
  readonly items?: Named;
  readonly anyOf?: readonly Named[];
}

/** The paths of all properties: `podcasts[].episodes[].title`. */
function listProperties({ properties = {}, items, anyOf = [] }: Named): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, schema]) => [
      name,
      ...listProperties(schema).map(
        (below) => `${name}${below.startsWith('[') ? '' : '.'}${below}`,
      ),
    ]),
    ...(items === undefined ? [] : listProperties(items).map((below) => `[].${below}`)),
    ...anyOf.flatMap(listProperties),
  ];
}

function listUsedProperties(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listUsedProperties).map((below) => `[].${below}`);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...listUsedProperties(inner).map(
      (below) => `${name}${below.startsWith('[') ? '' : '.'}${below}`,
    ),
  ]);
}

it('the whole example of the documentation is valid and has every property', () => {
  const file = new URL('../../../../../docs/seed-example.json', import.meta.url);
  const example: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(problemsOf(example)).toEqual({});
  const known = listProperties(SeedFileSchema as Named);
  expect(known).toContain('podcasts[].episodes[].audio.tone_seconds');
  expect([...new Set(listUsedProperties(example))].sort()).toEqual([...new Set(known)].sort());
});

// SEED-4, SEED-7
describe('a valid seed file', () => {
  it.each<[string, unknown]>([
    ['an empty seed file', {}],
    ['required fields only', withEpisode({})],
    ['a key', withKey({})],
    ['a key for all', withKey({ podcasts: 'all', expires_in_days: 30, name: 'x'.repeat(100) })],
    ['a key for some', withKey({ podcasts: ['show'], scopes: ['analytics:read'] })],
    ['null for what is left out', withEpisode({ audio: null, transcript: null, source: null })],
    ['the bounds of a tone', withEpisode({ audio: { tone_seconds: 7200 } })],
    ['an episode due already', withEpisode({ status: 'scheduled', scheduled_for: '-1h' })],
    ['a time with a zone', withEpisode({ status: 'published', published_at: '2026-01-01T00:00Z' })],
    [
      'roles and groups of the taxonomy, in any case',
      withPodcast({ people: [{ ref: 'p', name: 'Bo', role: 'Co-Host', group: 'Cast' }] }),
    ],
    ['a season of 0', withEpisode({ season: 0, episode: 0 })],
    [
      'refs of two podcasts that are alike',
      {
        users: [user],
        podcasts: [podcast, { ...podcast, ref: 'other', slug: 'other' }].map((entry) => ({
          ...entry,
          people: [{ ref: 'p', name: 'Bo' }],
          episodes: [{ ...episode, people: ['p'] }],
        })),
      },
    ],
  ])('%s', (_, seedFile) => {
    expect(problemsOf(seedFile)).toEqual({});
  });
});

// KEYED-16, SEED-1, SEED-4, SEED-7, SEED-8, SEED-9, SEED-13
describe('a single problem', () => {
  it.each<[string, unknown, string]>([
    ['the file', [], 'the file'],
    ['an unknown list', { shows: [] }, 'shows'],
    ['a list that is none', { users: {} }, 'users'],
    ['a key that is no object', { keys: [1] }, 'keys[0]'],
    ['an unknown property', withEpisode({ titel: 'x' }), 'podcasts[0].episodes[0].titel'],
    ['a user without password', { users: [{ ref: 'a', email: 'a@b.c' }] }, 'users[0].password'],
    ['a short password', withUser({ password: '1234567' }), 'users[0].password'],
    ['a medium that is none', withPodcast({ medium: 'bogus' }), 'podcasts[0].medium'],
    ['a plan that is none', withUser({ plan: 'gold' }), 'users[0].plan'],
    ['a plan state that is none', withUser({ plan_state: 'on' }), 'users[0].plan_state'],
    ['a ref with a slash', withUser({ ref: 'a/b' }), 'users[0].ref'],
    ['an owner that is not there', withPodcast({ owner: 'bo' }), 'podcasts[0].owner'],
    ['a slug of another grammar', withPodcast({ slug: 'A--b' }), 'podcasts[0].slug'],
    ['a color', withPodcast({ brand_color: '#FFF' }), 'podcasts[0].brand_color'],
    ['a time zone', withPodcast({ timezone: 'Mars' }), 'podcasts[0].timezone'],
    ['a status that is none', withPodcast({ status: 'live' }), 'podcasts[0].status'],
    ['a moved show without its feed', withPodcast({ status: 'moved' }), 'podcasts[0].new_feed_url'],
    [
      'an old slug that is none',
      withPodcast({ previous_slugs: [1] }),
      'podcasts[0].previous_slugs[0]',
    ],
    [
      'a custom role without a name',
      withPodcast({ members: [{ user: 'ana', role: 'custom', capabilities: [] }] }),
      'podcasts[0].members[0].role_name',
    ],
    [
      'a capability nobody can give',
      withPodcast({
        members: [
          { user: 'ana', role: 'custom', role_name: 'X', capabilities: ['show.move_feed'] },
        ],
      }),
      'podcasts[0].members[0].capabilities',
    ],
    [
      'a role outside the taxonomy',
      withPodcast({ people: [{ ref: 'p', name: 'Bo', role: 'boss' }] }),
      'podcasts[0].people[0].role',
    ],
    [
      'a group outside the taxonomy',
      withPodcast({ people: [{ ref: 'p', name: 'Bo', group: 'crew' }] }),
      'podcasts[0].people[0].group',
    ],
    ['a credit of nobody', withEpisode({ people: ['p'] }), 'podcasts[0].episodes[0].people[0]'],
    ['a season below 0', withEpisode({ season: -1 }), 'podcasts[0].episodes[0].season'],
    ['half a season', withEpisode({ season: 1.5 }), 'podcasts[0].episodes[0].season'],
    ['a type that is none', withEpisode({ type: 'extra' }), 'podcasts[0].episodes[0].type'],
    [
      'a future publication',
      withEpisode({ status: 'published', published_at: '+1s' }),
      'podcasts[0].episodes[0].published_at',
    ],
    [
      'a schedule without a time',
      withEpisode({ status: 'scheduled' }),
      'podcasts[0].episodes[0].scheduled_for',
    ],
    [
      'a time that is none',
      withEpisode({ created_at: 'soon' }),
      'podcasts[0].episodes[0].created_at',
    ],
    ['no audio', withEpisode({ audio: {} }), 'podcasts[0].episodes[0].audio'],
    [
      'two audios',
      withEpisode({ audio: { file: 'a', tone_seconds: 1 } }),
      'podcasts[0].episodes[0].audio',
    ],
    [
      'a tone of nothing',
      withEpisode({ audio: { tone_seconds: 0 } }),
      'podcasts[0].episodes[0].audio.tone_seconds',
    ],
    [
      'a tone too long',
      withEpisode({ audio: { tone_seconds: 7201 } }),
      'podcasts[0].episodes[0].audio.tone_seconds',
    ],
    [
      'a language',
      withEpisode({ transcript: { text: 'x', language: 'not one' } }),
      'podcasts[0].episodes[0].transcript.language',
    ],
    ['a character no database holds', withPodcast({ title: 'a\0b' }), 'podcasts[0].title'],
    [
      'more old slugs than a show can have',
      withPodcast({ previous_slugs: Array.from({ length: 200 }, (_, at) => `old-${at}`) }),
      'podcasts[0].previous_slugs',
    ],
    [
      'a GUID that no index holds',
      withEpisode({ source: { guid: 'é'.repeat(1_001) } }),
      'podcasts[0].episodes[0].source.guid',
    ],
    [
      'an address of a hundred thousand characters',
      withEpisode({ source: { enclosure_url: `https://a.example/${'x'.repeat(100_000)}` } }),
      'podcasts[0].episodes[0].source.enclosure_url',
    ],
    ['a key of nobody', withKey({ user: 'bo' }), 'keys[0].user'],
    ['a key without scopes', withKey({ scopes: undefined }), 'keys[0].scopes'],
    ['a key with no scope', withKey({ scopes: [] }), 'keys[0].scopes'],
    ['a scope that is none', withKey({ scopes: ['podcasts:write'] }), 'keys[0].scopes[0]'],
    ["a site's scope", withKey({ scopes: ['podcasts:read', 'sites:write'] }), 'keys[0].scopes[1]'],
    ['a podcast that is not there', withKey({ podcasts: ['show', 'x'] }), 'keys[0].podcasts[1]'],
    ['podcasts that are none', withKey({ podcasts: 'some' }), 'keys[0].podcasts'],
    ['a key for no podcast', withKey({ podcasts: [] }), 'keys[0].podcasts'],
    ['an expiry not offered', withKey({ expires_in_days: 31 }), 'keys[0].expires_in_days'],
    ['an expiry in words', withKey({ expires_in_days: '30' }), 'keys[0].expires_in_days'],
    ['a key without name', withKey({ name: '' }), 'keys[0].name'],
    ['a key with a NUL', withKey({ name: 'a\0b' }), 'keys[0].name'],
    ['an unknown property of a key', withKey({ secret: 'x' }), 'keys[0].secret'],
    [
      'two keys of one ref',
      { ...withKey({}), keys: [withKey({}).keys[0], withKey({}).keys[0]] },
      'keys[1].ref',
    ],
    ['chapters without any', withEpisode({ chapters: {} }), 'podcasts[0].episodes[0].chapters'],
  ])('%s', (_, seedFile, field) => {
    expect(Object.keys(problemsOf(seedFile))).toEqual([field]);
  });

  it('two episodes with the same source, whose GUIDs differ in spaces', () => {
    const episodes = [' tag:x ', 'tag:x'].map((guid, index) => ({
      ...episode,
      ref: `e${index}`,
      source: { guid },
    }));
    expect(Object.keys(problemsOf(withPodcast({ episodes })))).toEqual([
      'podcasts[0].episodes[1].source',
    ]);
  });
});

describe('a large file', () => {
  const refs = (n: number) => Array.from({ length: n }, (_, at) => `r${at}`);
  it.each<[string, (n: number) => object]>([
    [
      'credits',
      (n) =>
        withPodcast({
          people: refs(n).map((ref) => ({ ref, name: 'Bo' })),
          episodes: refs(n).map((ref) => ({ ref, slug: ref, title: ref, people: [ref] })),
        }),
    ],
    [
      'keys',
      (n) => ({
        users: [user],
        podcasts: refs(n).map((ref) => ({ ...podcast, ref, slug: ref })),
        keys: refs(n).map((ref) => ({ ...withKey({}).keys[0], ref, podcasts: [ref] })),
      }),
    ],
  ])('a file of many %s is checked in linear time', (_, write) => {
    const growth = measureGrowth((n) => void problemsOf(write(n)), { smallest: 1_000 });
    expect(growth).toBeLessThan(acceptableGrowth);
  });
});

describe('several problems', () => {
  // SEED-1
  it('several problems are reported together', () => {
    const seedFile = {
      users: [user, { ...user, password: 'short' }],
      podcasts: [
        {
          ...podcast,
          titel: 'x',
          members: [{ user: 'zoe', role: 'editor' }],
          episodes: [
            { ...episode, season: 'one' },
            { ...episode, ref: 'f', slug: 'Bad' },
          ],
        },
      ],
      extra: true,
    };
    expect(Object.keys(problemsOf(seedFile)).sort()).toEqual([
      'extra',
      'podcasts[0].episodes[0].season',
      'podcasts[0].episodes[1].slug',
      'podcasts[0].members[0].user',
      'podcasts[0].titel',
      'users[1].password',
      'users[1].ref',
    ]);
  });

  it('several problems are shortened if there are very many', () => {
    const problems = problemsOf({ users: Array.from({ length: 500 }, () => ({})) });
    expect(Object.keys(problems)).toHaveLength(101);
    expect(problems['…']).toBe('And 1400 more like these.');
  });

  it('several problems are reported for lists of the wrong type too', () => {
    const nonsense = [null, 1, 'x', [], { podcasts: [null, 1], users: ['x'] }];
    for (const seedFile of nonsense) expect(problemsOf(seedFile)).not.toEqual({});
  });
});
