import { expect, it } from 'vitest';
import { SlowSites } from './slow-sites.ts';

it('a site is slow after a delivery that took more than five seconds, until a quick one', () => {
  const sites = new SlowSites();
  sites.note('a.test', 5_000);
  sites.note('b.test', 5_001);
  sites.note('c.test', 29_000);
  expect([...sites.names].sort()).toEqual(['b.test', 'c.test']);
  sites.note('c.test', 100);
  expect(sites.names).toEqual(['b.test']);
});
