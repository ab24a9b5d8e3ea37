import { expect, it } from 'vitest';
import { SearchTurns } from './search-turns.ts';

const here = new AbortController().signal;

/** A search that ends when it is told to. */
function makeSearch(turns: SearchTurns, show: string, left = here, client = 'somebody') {
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasBegun = false;
  const done = turns.run({ podcastId: show, client, left }, () => {
    hasBegun = true;
    return promise;
  });
  done.catch(() => undefined);
  return { done, end: resolve, hasBegun: () => hasBegun };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('SearchTurns runs one search of a show at once, and two of all', async () => {
  const turns = new SearchTurns(10);
  const searches = ['a', 'a', 'b', 'c'].map((show) => makeSearch(turns, show));
  await settle();
  expect(searches.map(({ hasBegun }) => hasBegun())).toEqual([true, false, true, false]);
  searches[2]?.end();
  await settle();
  expect(searches.map(({ hasBegun }) => hasBegun())).toEqual([true, false, true, true]);
});

it('SearchTurns refuses what waits behind twenty searches of a show, until one of them has begun', async () => {
  const turns = new SearchTurns(1);
  const first = makeSearch(turns, 'a');
  await settle();
  const waiting = Array.from({ length: 20 }, () => makeSearch(turns, 'a'));
  await expect(makeSearch(turns, 'a').done).rejects.toMatchObject({
    kind: 'service_unavailable',
    retryAfterSeconds: 2,
  });
  const other = makeSearch(turns, 'b');
  first.end();
  await first.done;
  for (const one of [...waiting, other]) one.end();
  await Promise.all([...waiting, other].map(({ done }) => done));
  const last = makeSearch(turns, 'a');
  last.end();
  await last.done;
});

it('SearchTurns forgets a client that leaves', async () => {
  const turns = new SearchTurns(1);
  const first = makeSearch(turns, 'a');
  await settle();
  const leaving = new AbortController();
  const second = makeSearch(turns, 'a', leaving.signal);
  leaving.abort(new Error('left'));
  await expect(second.done).rejects.toThrow('left');
  expect(second.hasBegun()).toBe(false);
  first.end();
  await first.done;
});

it('a network that searches a show all the time delays and refuses only itself', async () => {
  const turns = new SearchTurns(1);
  const flood = Array.from({ length: 21 }, () => makeSearch(turns, 'a', here, 'flood'));
  const reader = makeSearch(turns, 'a', here, 'reader');
  await expect(flood.at(-1)?.done).rejects.toMatchObject({ kind: 'service_unavailable' });
  flood[0]?.end();
  await flood[0]?.done;
  flood[1]?.end();
  await flood[1]?.done;
  await settle();
  expect([reader.hasBegun(), flood[2]?.hasBegun()]).toEqual([true, false]);
});

it('a network that searches all shows at once holds up the search of another by a few', async () => {
  const turns = new SearchTurns(1);
  const flood = Array.from({ length: 600 }, (_, n) => makeSearch(turns, `${n}`, here, 'flood'));
  const reader = makeSearch(turns, 'quiet', here, 'reader');
  let before = 0;
  for (await settle(); !reader.hasBegun(); await settle()) {
    const current = flood[before];
    expect(current?.hasBegun()).toBe(true);
    current?.end();
    before += 1;
  }
  expect(before).toBeLessThan(12);
});

it('many networks that search a show hold up the search of another show by one', async () => {
  const turns = new SearchTurns(1);
  const flood = Array.from({ length: 20 }, (_, n) => makeSearch(turns, 'a', here, `network ${n}`));
  const reader = makeSearch(turns, 'b', here, 'reader');
  await settle();
  for (const search of flood.slice(0, 2)) {
    expect(reader.hasBegun()).toBe(false);
    search.end();
    await settle();
  }
  expect(reader.hasBegun()).toBe(true);
});
