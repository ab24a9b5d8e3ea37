import { expect, it } from 'vitest';
import { currentZone, listZones } from './zones.ts';

it.each([
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Europe/Berlin', 'Europe/Berlin'],
])('%s is called %s now', (zone, name) => {
  expect(currentZone(zone)).toBe(name);
});

it('lists each zone once by its current name, with its offset', () => {
  const zones = listZones('Asia/Calcutta', new Date('2027-01-15T12:00:00Z'));
  const labels = zones.map(({ label }) => label);
  expect(labels).toContain('Europe/Kyiv · UTC+2');
  expect(labels).toContain('Asia/Kolkata · UTC+5:30');
  expect(labels).toContain('America/New York · UTC-5');
  expect(labels).toContain('UTC');
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels.some((label) => /Kiev|Saigon|Rangoon/.test(label))).toBe(false);
  // The one that a show has stays in the list under its own name.
  expect(zones.find(({ id }) => id === 'Asia/Calcutta')).toBeDefined();
});
