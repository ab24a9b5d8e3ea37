import { expect, it } from 'vitest';
import { exampleRequest } from '../../../../test/example-request.ts';
import { mostHostsOfAddress, ReferrerLimit } from './referrer-limit.ts';

const request = { ...exampleRequest, addressHash: '1'.repeat(16) };
const from = (n: number) => ({ ...request, referrer: `${n}.example` });

it('an address names ten hosts of a podcast and day, and further ones are other', () => {
  const limit = new ReferrerLimit();
  for (let n = 0; n < mostHostsOfAddress; n += 1) expect(limit.apply(from(n))).toEqual(from(n));
  expect(limit.apply(from(99))).toEqual({ ...request, referrer: 'other' });
  expect(limit.apply(from(0))).toEqual(from(0));
  for (const other of [
    { ...from(99), addressHash: '2'.repeat(16) },
    { ...from(99), podcastId: request.episodeId },
    { ...from(99), at: new Date('2026-03-11T00:00:00Z') },
    { ...from(99), addressHash: null },
    request,
  ])
    expect(limit.apply(other)).toEqual(other);
});
