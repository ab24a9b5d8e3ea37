import { expect, it } from 'vitest';
import { Changes } from './changes.ts';

it('what was read before a change that is forgotten may have changed', () => {
  const changes = new Changes();
  changes.note('one');
  const { count } = changes;
  expect([changes.hasChanged('one', 0), changes.hasChanged('one', count)]).toEqual([true, false]);
  for (let n = 0; n < 10_000; n += 1) changes.note(`other ${n}`);
  expect(changes.hasChanged('quiet', 0)).toBe(true);
  expect(changes.hasChanged('one', count)).toBe(false);
  changes.note('last');
  expect(changes.hasChanged('quiet', count)).toBe(true);
  expect(changes.hasChanged('quiet', count + 1)).toBe(false);
});
