import fc from 'fast-check';
import { checkElements } from '../src/domain/publishing/podcasts/index.ts';
import {
  type ElementEntry,
  type ElementName,
  type ElementOwner,
  type ElementValue,
  type ElementValues,
  feedElements,
  valuesOf,
} from '../src/lib/fields/feed-elements.ts';

/** Entries of an element of the list that are accepted, made from what the list says of its values. */
export function someEntry(name: ElementName, owner: ElementOwner): fc.Arbitrary<ElementEntry> {
  return entryOf(feedElements[name].values, owner).filter(
    (entry) => checkElements(owner, { [name]: [entry] }).length === 0,
  );
}

function entryOf(values: ElementValues, owner: ElementOwner): fc.Arbitrary<ElementEntry> {
  const all = valuesOf(values, owner);
  const requiredKeys = all.filter(([, { required }]) => required).map(([name]) => name);
  const known = Object.fromEntries(all.map(([name, value]) => [name, someValue(value, owner)]));
  return fc.record(known, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<ElementEntry>;
}

/** Of one line, and as they are stored: without spaces around them. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((given) => given.replace(/\s+/g, ' ').trim())
  .filter((given) => given !== '');
const moment = fc
  .integer({ min: 946_684_800, max: 4_102_444_800 })
  .map((seconds) => new Date(seconds * 1000).toISOString());

function someValue(value: ElementValue, owner: ElementOwner): fc.Arbitrary<ElementEntry[string]> {
  switch (value.kind) {
    case 'text':
      return text.map((given) => given.slice(0, value.max).trim());
    case 'choice':
      return fc.constantFrom(...Object.keys(value.choices));
    case 'flag':
      return fc.boolean();
    case 'whole':
      return fc.integer({ min: value.min, max: value.max });
    case 'seconds':
      return fc.integer({ min: Math.max(1, value.min), max: 9_000 }).map((ms) => ms / 1000);
    case 'elements':
      return fc.array(entryOf(value.values, owner), { minLength: 1, maxLength: 3 });
    default:
      return samples[value.kind];
  }
}

type SampledKind = Exclude<
  ElementValue['kind'],
  'text' | 'choice' | 'flag' | 'whole' | 'seconds' | 'elements'
>;

const samples: Readonly<Record<SampledKind, fc.Arbitrary<string>>> = {
  moment,
  expiry: moment.filter((at) => at > '2090'),
  day: fc.oneof(
    moment,
    moment.map((at) => at.slice(0, 10)),
  ),
  url: fc.webUrl({ withQueryParameters: true }),
  uri: fc.constantFrom('https://a.example/@b/1?c&d', 'at://did:plc:x/app.bsky.feed.post/1'),
  medium: fc.constantFrom('podcast', 'musicL'),
  guid: fc.uuid(),
  amount: fc.constantFrom('0.00000005000', '15'),
  tokens: fc.constantFrom('social', 'artwork social', 'apple/showcase-hero'),
  ratio: fc.constantFrom('16/9', '1.91/1', '9 / 16', '1.9'),
  country: fc.constantFrom('NO', 'US', 'ZA'),
  geo: fc.constantFrom('geo:59.91,10.75', 'geo:-27.8611449,153.3162701', 'geo:0,0,250;u=35.5'),
  osm: fc.constantFrom('R148838', 'W5013364#7', 'N1'),
  rrule: fc.constantFrom(
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO,+2FR;COUNT=9',
    'FREQ=YEARLY;BYMONTH=11',
  ),
  'media type': fc.constantFrom('audio/mpeg', 'image/svg+xml'),
};
