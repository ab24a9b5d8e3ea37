import { expect, it } from 'vitest';
import { mapCredit } from './map-credit.ts';

// KEYED-16
it.each([
  ['host', 'cast', 'host', 'cast'],
  ['Host', 'Cast', 'host', 'cast'],
  ['Hosts', 'cast', 'host', 'cast'],
  ['Co-Host', 'cast', 'co-host', 'cast'],
  ['cohost', 'cast', 'co-host', 'cast'],
  ['co hosts', 'cast', 'co-host', 'cast'],
  ['Cover Art Designers', 'Visuals', 'cover art designer', 'visuals'],
  ['presenter', 'cast', 'host', 'cast'],
  ['Sound Engineer', 'Audio Production', 'audio engineer', 'audio production'],
  ['Intern', 'Misc.', 'intern', 'misc'],
  ['producer', 'the crew', 'producer', 'creative direction'],
  ['producer', 'cast', 'producer', 'cast'],
])('finds %s (%s) in the taxonomy', (role, group, mappedRole, mappedGroup) => {
  expect(mapCredit({ role, group })).toEqual({
    role: mappedRole,
    group: mappedGroup,
    isUnknown: false,
  });
});

// KEYED-16
it.each([
  ['chapter architect', 'cast'],
  ['chapter architect', 'visuals'],
  ['', ''],
  ['s', 's'],
  ['__proto__', 'constructor'],
  ['ホスト', 'cast'],
])('keeps %s (%s) as a host of the cast', (role, group) => {
  expect(mapCredit({ role, group })).toEqual({ role: 'host', group: 'cast', isUnknown: true });
});
