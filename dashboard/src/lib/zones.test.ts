import { expect, it } from 'vitest';
import { listZoneCountries } from '../../scripts/zone-countries.ts';
import { createZoneNaming, currentZone, listZones, searchZones } from './zones.ts';

const now = new Date('2027-01-15T12:00:00Z');
const countries = listZoneCountries();
const nameAll = (language: string, also = 'UTC') =>
  listZones(also).map(createZoneNaming({ countries, language, now }));
const inEnglish = nameAll('en');
const search = (text: string, zones = inEnglish) => searchZones(zones, text).map(({ id }) => id);

it.each([
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Europe/Berlin', 'Europe/Berlin'],
])('%s is called %s now', (zone, name) => {
  expect(currentZone(zone)).toBe(name);
});

it('lists each zone once by its current name, with its offset', () => {
  const labels = nameAll('en', 'Asia/Calcutta').map(({ label }) => label);
  expect(labels).toContain('Europe/Kyiv · UTC+2');
  expect(labels).toContain('Asia/Kolkata · UTC+5:30');
  expect(labels).toContain('America/New York · UTC-5');
  expect(labels).toContain('UTC');
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels.filter((label) => /Calcutta|Kiev|Saigon|Rangoon/.test(label))).toEqual([]);
});

it('lists a zone that the browser does not know, if a show has it', () => {
  expect(nameAll('en', 'Mars/Olympus_Mons')).toContainEqual(
    expect.objectContaining({ id: 'Mars/Olympus_Mons', label: 'Mars/Olympus Mons', country: '' }),
  );
});

it('says the country of every zone but UTC', () => {
  const without = inEnglish.filter(({ country }) => country === '').map(({ id }) => id);
  expect(without).toEqual(['UTC']);
});

it.each([
  ['berlin', ['Europe/Berlin']],
  ['New York', ['America/New_York']],
  ['kolkata', ['Asia/Kolkata']],
  ['Calcutta', ['Asia/Kolkata']],
  ['kiev', ['Europe/Kyiv']],
  ['sao pau', ['America/Sao_Paulo']],
  ['São Paulo', ['America/Sao_Paulo']],
  // Not Indiana; that the clocks of Sri Lanka are India's is a name of theirs, too.
  ['india', ['Asia/Colombo', 'Asia/Kolkata']],
  ['germany', ['Europe/Berlin', 'Europe/Busingen']],
  ['uk', ['Europe/London']],
  ['GMT+5:30', ['Asia/Colombo', 'Asia/Kolkata']],
  ['utc+05:45', ['Asia/Kathmandu']],
  ['atlantis', []],
])('finds by "%s" %j', (text, ids) => {
  expect(search(text)).toEqual(ids);
});

it.each(['utc+1', 'UTC +1', 'GMT+1', '+01:00', 'utc+0100'])(
  'finds by "%s" what is an hour ahead',
  (text) => {
    const found = searchZones(inEnglish, text);
    expect(found.map(({ id }) => id)).toContain('Europe/Berlin');
    expect(new Set(found.map(({ offset }) => offset))).toEqual(new Set(['UTC+1']));
  },
);

it('finds while an offset is typed', () => {
  expect(search('utc')).toEqual(expect.arrayContaining(['UTC', 'Africa/Abidjan']));
  for (const text of ['utc-', 'utc-3:3', '−3:30']) {
    expect(search(text)).toContain('America/St_Johns');
  }
  expect(search('utc+')).not.toContain('America/St_Johns');
});

it.each([
  ['de', 'Vereinigte Staaten', 'America/Chicago'],
  ['es', 'Japón', 'Asia/Tokyo'],
  ['fr', 'etats-unis', 'America/Chicago'],
  ['ja', 'ドイツ', 'Europe/Berlin'],
  ['ar', 'ألمانيا', 'Europe/Berlin'],
  // The names that the reader learned in English.
  ['ar', 'Germany', 'Europe/Berlin'],
  ['en', 'Eastern Time', 'America/New_York'],
])('a search in %s for "%s" finds %s', (language, text, id) => {
  expect(search(text, nameAll(language))).toContain(id);
});
