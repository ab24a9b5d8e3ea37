import { expect, it } from 'vitest';
import { asOf } from './episode.ts';

const scheduledFor = new Date('2026-03-10T12:00:00Z');
const scheduled = { status: 'scheduled', publishedAt: null, scheduledFor } as const;

it('a scheduled episode is published from its second on, with that date whenever it is read', () => {
  const published = { status: 'published', publishedAt: scheduledFor, scheduledFor: null };
  expect(asOf(scheduled, new Date('2026-03-10T11:59:59.999Z'))).toBe(scheduled);
  expect(asOf(scheduled, scheduledFor)).toEqual(published);
  expect(asOf(scheduled, new Date('2026-04-01T00:00:00Z'))).toEqual(published);
});
