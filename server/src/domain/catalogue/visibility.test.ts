import { expect, it } from 'vitest';
import { requireVisible, type Surface, visibilityOf } from './visibility.ts';

/** The table of the contract, read off once more: api, page, oembed, feed, file. */
const surfaces: readonly Surface[] = ['api', 'page', 'oembed', 'feed', 'file'];

it.each([
  ['draft', [404, 404, 404, 404, 404]],
  ['active', [200, 200, 200, 200, 200]],
  ['paused', [404, 404, 404, 200, 200]],
  ['overage_suspended', [403, 403, 404, 200, 403]],
  ['moved', [200, 200, 200, 200, 200]],
] as const)('%s: %j', (status, statuses) => {
  expect(surfaces.map((surface) => statusOf(() => requireVisible(status, surface, 'x')))).toEqual(
    statuses,
  );
});

it('freezes the feed of a paused show and moves that of a moved one', () => {
  expect(visibilityOf('paused', 'feed')).toBe('frozen');
  expect(visibilityOf('moved', 'feed')).toBe('moved');
});

function statusOf(check: () => void): number {
  try {
    check();
    return 200;
  } catch (error) {
    return (error as { kind: string }).kind === 'not_found' ? 404 : 403;
  }
}
