import { expect, it } from 'vitest';
import { ExportPlaces } from './export-places.ts';

/**
 * Takes places for exports of the account's shows, each by another user. Returns how many it got.
 */
function takeMany(places: ExportPlaces, accountId: string, count: number): number {
  let taken = 0;
  for (let n = 0; n < count; n += 1) {
    try {
      places.take({ userId: `${accountId}-${n}`, accountId, isOwner: false });
      taken += 1;
    } catch (error) {
      expect(error).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 60 });
    }
  }
  return taken;
}

it('the team of one account gets a few of the places for exports', () => {
  expect(takeMany(new ExportPlaces(), 'a', 20)).toBe(4);
});

it('the owner of an account gets a place for an export although its team has all of the account', () => {
  const places = new ExportPlaces();
  takeMany(places, 'a', 4);
  const own = { userId: 'ana', accountId: 'a', isOwner: true };
  places.take(own);
  expect(() => places.take(own)).toThrow('Too many exports');
});

it('one user gets two places for exports, of whatever account', () => {
  const places = new ExportPlaces();
  const take = (accountId: string) => places.take({ userId: 'ana', accountId, isOwner: true });
  take('a');
  take('b');
  expect(() => take('c')).toThrow('Too many exports');
});

it('the last places for exports are for accounts that have none', () => {
  const places = new ExportPlaces();
  const taken = Array.from({ length: 12 }, (_, n) => takeMany(places, `account ${n}`, 20));
  expect(taken).toEqual([4, 4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
});

it('a place for an export that is given back is free again', () => {
  const places = new ExportPlaces();
  for (let n = 0; n < 100; n += 1) {
    const own = { userId: 'ana', accountId: 'a', isOwner: true };
    using _first = places.take(own);
    using _second = places.take(own);
    expect(() => places.take(own)).toThrow('Too many exports');
  }
});
