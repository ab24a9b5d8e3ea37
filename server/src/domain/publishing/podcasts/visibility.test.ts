import { expect, it } from 'vitest';
import { type Channel, requireVisible, visibilityOf } from './visibility.ts';

/** The table of STATE-1, copied from it: api, page, oembed, feed, file. */
const channels: readonly Channel[] = ['api', 'page', 'oembed', 'feed', 'file'];

// STATE-1
it.each([
  ['draft', [404, 404, 404, 404, 404]],
  ['active', [200, 200, 200, 200, 200]],
  ['paused', [404, 404, 404, 200, 200]],
  ['overage_suspended', [403, 403, 404, 200, 403]],
  ['moved', [200, 200, 200, 200, 200]],
] as const)('%s: %j', (status, statuses) => {
  expect(
    channels.map((channel) =>
      statusOf(() => requireVisible({ status, statusBeforeSuspension: null }, channel, 'x')),
    ),
  ).toEqual(statuses);
});

// STATE-3
it('freezes the feed of a paused show and moves that of a moved one', () => {
  expect(visibilityOf({ status: 'paused', statusBeforeSuspension: null }, 'feed')).toBe('frozen');
  expect(visibilityOf({ status: 'moved', statusBeforeSuspension: null }, 'feed')).toBe('moved');
});

it('names a paused show on its pages alone', () => {
  const paused = { status: 'paused', statusBeforeSuspension: null } as const;
  expect(channels.filter((channel) => visibilityOf(paused, channel) === 'resting')).toEqual([
    'page',
  ]);
});

it.each([
  ['active', ['withheld', 'withheld', 'hidden', 'open', 'withheld']],
  ['paused', ['hidden', 'hidden', 'hidden', 'frozen', 'withheld']],
  ['moved', ['withheld', 'withheld', 'hidden', 'moved', 'withheld']],
] as const)('a suspension of what was %s only takes away', (before, seen) => {
  const show = { status: 'overage_suspended', statusBeforeSuspension: before } as const;
  expect(channels.map((channel) => visibilityOf(show, channel))).toEqual(seen);
});

function statusOf(check: () => void): number {
  try {
    check();
    return 200;
  } catch (error) {
    return ['not_found', 'paused'].includes((error as { kind: string }).kind) ? 404 : 403;
  }
}
