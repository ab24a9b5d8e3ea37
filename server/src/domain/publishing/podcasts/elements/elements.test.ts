import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someEntry } from '../../../../../test/element-entries.ts';
import { longestTaskMs } from '../../../../../test/watch-event-loop.ts';
import {
  type ElementEntry,
  type ElementName,
  type ElementOwner,
  elementsOf,
} from '../../../../lib/fields/feed-elements.ts';
import type { ExtraElement } from '../extra-element.ts';
import { changeElements, checkElements, readElements } from './change-elements.ts';

const now = new Date('2026-01-01T00:00:00Z');
const owners = ['show', 'episode'] as const;
const all = owners.flatMap((owner) =>
  elementsOf(owner).map(([name, { most }]) => ({ owner, name, most })),
);

const change = (
  owner: ElementOwner,
  name: ElementName,
  entries: readonly ElementEntry[],
  present: readonly ExtraElement[] = [],
) => changeElements(owner, present, { [name]: entries }, now);

const element = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  text = '',
  children: readonly ExtraElement[] = [],
): ExtraElement => ({ name, attributes: Object.entries(attributes), text, children });

const unknown = element('podcast:unknown', { a: 'b' });

describe.each(all)('$name of a $owner', ({ owner, name, most }) => {
  const lists = fc.uniqueArray(someEntry(name, owner), {
    maxLength: Math.min(3, most),
    selector: JSON.stringify,
  });

  // FEED-13
  it(`${name} of a ${owner} is read as it was written`, () => {
    fc.assert(
      fc.property(lists, (entries) => {
        expect(checkElements(owner, { [name]: entries })).toEqual([]);
        const { elements } = change(owner, name, entries, [unknown]);
        expect(readElements(owner, elements)[name]).toEqual(entries);
        expect(elements).toContain(unknown);
      }),
    );
  });

  it(`${name} of a ${owner} that is the same keeps its elements, and an empty list removes them`, () => {
    fc.assert(
      fc.property(lists, (entries) => {
        const { elements } = change(owner, name, entries, [unknown]);
        expect(change(owner, name, entries, elements)).toEqual({ elements, changed: [] });
        expect(change(owner, name, [], elements).elements).toEqual([unknown]);
      }),
    );
  });
});

// FEED-13
it.each<[string, ElementOwner, ElementName, ElementEntry, string]>([
  ['a place without a name', 'show', 'location', { text: ' ' }, 'text'],
  ['a relation that nobody knows', 'show', 'location', { text: 'Oslo', rel: 'near' }, 'rel'],
  ['a country that does not exist', 'show', 'location', { text: 'X', country: 'ZZ' }, 'country'],
  ['a latitude beyond the pole', 'show', 'location', { text: 'X', geo: 'geo:90.5,1' }, 'geo'],
  ['coordinates with a space', 'show', 'location', { text: 'X', geo: 'geo:1, 2' }, 'geo'],
  ['an object without its kind', 'show', 'location', { text: 'X', osm: '113314' }, 'osm'],
  ['an own license without its text', 'episode', 'license', { text: 'mine-1' }, 'url'],
  ['comments without a post', 'episode', 'socialInteract', { protocol: 'nostr' }, 'uri'],
  [
    'a post that is a script',
    'episode',
    'socialInteract',
    { protocol: 'nostr', uri: 'JavaScript:alert(1)' },
    'uri',
  ],
  [
    'a post that is a page itself',
    'episode',
    'socialInteract',
    { protocol: 'nostr', uri: 'data:text/html,<script>alert(1)</script>' },
    'uri',
  ],
  [
    'a post with a control character',
    'episode',
    'socialInteract',
    { protocol: 'nostr', uri: 'nostr:\u0001a' },
    'uri',
  ],
  [
    'disabled comments with a post',
    'episode',
    'socialInteract',
    { protocol: 'disabled', uri: 'https://a.example/' },
    'protocol',
  ],
  ['a GUID that is not a UUID', 'show', 'podroll', { feedGuid: '12' }, 'feed_guid'],
  [
    'a rule without a frequency',
    'show',
    'updateFrequency',
    { text: 'X', rrule: 'COUNT=2' },
    'rrule',
  ],
  [
    'a part twice',
    'show',
    'updateFrequency',
    { text: 'X', rrule: 'FREQ=DAILY;FREQ=DAILY' },
    'rrule',
  ],
  [
    'a count without a first day',
    'show',
    'updateFrequency',
    { text: 'X', rrule: 'FREQ=DAILY;COUNT=2' },
    'dtstart',
  ],
  ['30 February', 'show', 'updateFrequency', { text: 'X', dtstart: '2026-02-30' }, 'dtstart'],
  [
    'a soundbite without a length',
    'episode',
    'soundbite',
    { startTime: 1, duration: 0 },
    'duration',
  ],
  [
    'a trailer without a date',
    'show',
    'trailer',
    { text: 'X', url: 'https://a.example/' },
    'pubdate',
  ],
  ['a link that is not one', 'episode', 'funding', { text: 'X', url: 'a.example' }, 'url'],
  ['payments to nobody', 'show', 'value', { type: 'lightning', method: 'keysend' }, 'recipients'],
  [
    'a picture that is the artwork',
    'show',
    'image',
    { href: 'https://a.example/', purpose: 'Artwork' },
    'purpose',
  ],
  [
    'a ratio without a height',
    'show',
    'image',
    { href: 'https://a.example/', purpose: 'x', aspectRatio: '16/0' },
    'aspect_ratio',
  ],
  [
    'a text of a field of its own',
    'show',
    'txt',
    { text: 'true', purpose: 'AI-content' },
    'purpose',
  ],
  [
    'a time without a zone',
    'show',
    'txt',
    { text: '1', expires: '2026-01-01T00:00:00' },
    'expires',
  ],
])('%s is refused', (_, owner, name, entry, field) => {
  const refused = checkElements(owner, { [name]: [entry] });
  const wireName = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(refused.map((detail) => detail.field)).toEqual([`${wireName}[0].${field}`]);
});

it('a payment names the recipient whose value is refused', () => {
  const recipients = [
    { type: 'node', address: '02d5', split: 1, fee: true },
    { type: 'node', address: '', split: -1 },
  ];
  const value = [{ type: 'lightning', method: 'keysend', recipients }];
  expect(checkElements('show', { value }).map(({ field }) => field)).toEqual([
    'value[0].recipients[1].address',
    'value[0].recipients[1].split',
  ]);
  const fees = [{ ...value[0], recipients: recipients.slice(0, 1) }];
  expect(checkElements('show', { value: fees }).map(({ field }) => field)).toEqual([
    'value[0].recipients',
  ]);
});

it('more elements than the namespace allows are refused', () => {
  const license = [{ text: 'cc-by-4.0' }, { text: 'arr' }];
  expect(checkElements('show', { license })).toMatchObject([
    { field: 'license', values: { max: 1 } },
  ]);
});

it('all texts together have a limit', () => {
  const txt = Array.from({ length: 20 }, (_, index) => ({ text: `${index}`.padEnd(4000, 'x') }));
  const present = [element('podcast:x', {}, 'y'.repeat(30_000))];
  expect(checkElements('show', { txt })).toEqual([]);
  expect(checkElements('show', { txt }, present)).toMatchObject([{ field: 'extra_elements' }]);
});

// FEED-13
it('drafts of the namespace are shown under the names of today, and stay as they are', () => {
  const place = element('podcast:location', { latlon: '59.9,10.7', osmid: 'R1' }, 'Oslo');
  const post = element(
    'podcast:socialInteract',
    { platform: 'twitter', podcastAccountId: '@a', pubDate: '2021-04-14', priority: '2' },
    'https://a.example/1',
  );
  const present = [place, post];
  expect(readElements('show', present)).toMatchObject({
    location: [{ text: 'Oslo', geo: 'geo:59.9,10.7', osm: 'R1' }],
    socialInteract: [
      { protocol: 'twitter', uri: 'https://a.example/1', accountId: '@a', priority: 2 },
    ],
  });
  const oslo = { text: 'Oslo', geo: 'geo:59.9,10.7', osm: 'R1' };
  const added = change('show', 'location', [oslo, { text: 'Bergen' }], present);
  expect(added.elements).toEqual(
    [place, element('podcast:location', {}, 'Bergen'), post].toSorted(
      (one, other) => Number(one === post) - Number(other === post),
    ),
  );
  const moved = change('show', 'location', [{ ...oslo, osm: 'R2' }], present);
  expect(moved.elements[0]?.attributes).toEqual([
    ['geo', 'geo:59.9,10.7'],
    ['osm', 'R2'],
  ]);
});

// FEED-13
it('an element with more than the list knows is not shown, and stays when others change', () => {
  const split = element('podcast:value', { type: 'lightning', method: 'keysend' }, '', [
    element('podcast:valueTimeSplit', { startTime: '1' }),
  ]);
  const odd = element('podcast:location', { planet: 'Mars' }, 'Olympus');
  const present = [split, odd];
  expect(readElements('episode', present)).toMatchObject({ value: [], location: [] });
  const { elements } = change('episode', 'location', [{ text: 'Oslo' }], present);
  expect(elements).toEqual([...present, element('podcast:location', {}, 'Oslo')]);
});

it('the only element of its kind replaces one that could not be edited', () => {
  const odd = element('podcast:license', { version: '1' }, 'mine');
  const { elements } = change('show', 'license', [{ text: 'arr' }], [odd]);
  expect(elements).toEqual([element('podcast:license', {}, 'arr')]);
  expect(change('show', 'license', [], [odd]).elements).toEqual([odd]);
});

it('what is there already stays, although it would be refused today', () => {
  const long = element('podcast:location', { country: 'uk' }, 'x'.repeat(200));
  const entry = { text: 'x'.repeat(200), country: 'uk' };
  expect(checkElements('show', { location: [entry, { text: 'Oslo' }] }, [long])).toEqual([]);
  expect(checkElements('show', { location: [{ ...entry, rel: 'creator' }] }, [long])).toHaveLength(
    2,
  );
});

it('the expiry of a text is not one of its attributes', () => {
  const { elements } = change('show', 'txt', [{ text: '05124', purpose: 'x', expires: '+2d' }]);
  const txt = element('podcast:txt', { purpose: 'x' }, '05124');
  expect(elements).toEqual([{ ...txt, expiresAt: '2026-01-03T00:00:00.000Z' }]);
  expect(checkElements('episode', { txt: [{ text: 'x' }] })).toEqual([]);
});

it('two thousand elements of one name are changed without blocking', async () => {
  const texts = (from: number) =>
    Array.from({ length: 2_000 }, (_, at) => `${'a long code '.repeat(2)}${from + at}`);
  const present = texts(0).map((text) => element('podcast:txt', {}, text));
  const txt = texts(10_000).map((text) => ({ text }));
  const save = async () => {
    expect(checkElements('show', { txt }, present)).toEqual([]);
    change('show', 'txt', txt, present);
  };
  expect(await longestTaskMs(save)).toBeLessThan(50);
});

// FEED-13
it.each([' ', '   ', '\t', '\r\n', '\u2028', '\ufeff'])(
  'a text of an element that is only %j is missing for checks and in the feed',
  (blank) => {
    const txt = { text: 'x', purpose: blank, expires: blank };
    expect(checkElements('show', { txt: [txt] })).toEqual([]);
    expect(change('show', 'txt', [txt]).elements).toEqual([element('podcast:txt', {}, 'x')]);
    const trailer = { text: 'x', url: 'https://a.example/', pubdate: blank, type: blank };
    expect(checkElements('show', { trailer: [trailer] })).toMatchObject([
      { field: 'trailer[0].pubdate', message: 'This is required.' },
    ]);
    const recipient = { type: 'node', address: '02d5', split: 1, name: blank };
    const value = [{ type: 'lightning', method: 'keysend', recipients: [recipient] }];
    expect(checkElements('show', { value })).toEqual([]);
    const written = change('show', 'value', value).elements[0]?.children[0]?.attributes;
    expect(written?.map(([name]) => name)).toEqual(['type', 'address', 'split']);
  },
);

// FEED-13
it('blanks around a time of an element are ignored', () => {
  const txt = [{ text: 'x', expires: ' 2026-01-03T00:00:00Z\n' }];
  expect(checkElements('show', { txt })).toEqual([]);
  expect(change('show', 'txt', txt).elements[0]?.expiresAt).toBe('2026-01-03T00:00:00.000Z');
});

// FEED-13
it('a relative time of an element that is beyond the year 9999 by now is refused', () => {
  const txt = [{ text: 'x', expires: '+418900w' }];
  expect(checkElements('show', { txt })).toMatchObject([{ field: 'txt[0].expires' }]);
});
