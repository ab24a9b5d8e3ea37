import { expect, it } from 'vitest';
import { exampleRequest as request } from '../../../../../test/example-request.ts';
import { type AudioRequest, refusedRequests } from '../audio-request.ts';
import { UnitedRequests } from './united-requests.ts';

const { at } = request;

function unite(...others: readonly Partial<AudioRequest>[]): AudioRequest[] {
  const united = new UnitedRequests();
  united.add(request);
  for (const other of others) united.add({ ...request, ...other });
  return united.take();
}

it.each<[string, [number, number][], [number, number][]]>([
  ['the same again', [[0, 99]], [[0, 99]]],
  ['what follows', [[100, 149]], [[0, 149]]],
  ['a part of it and more', [[50, 120]], [[0, 120]]],
  ['a part of it', [[10, 20]], [[0, 99]]],
  [
    'another place',
    [[200, 299]],
    [
      [0, 99],
      [200, 299],
    ],
  ],
  [
    'places in another order',
    [
      [200, 299],
      [100, 199],
    ],
    [
      [0, 99],
      [200, 299],
      [100, 199],
    ],
  ],
  ['nothing', [], [[0, 99]]],
])('requests for one file are one, with the bytes of all: %s', (_, asked, ranges) => {
  const audio = asked.map(([start, end]) => ({ start, end }));
  const expected = ranges.map(([start, end]) => ({ start, end }));
  expect(unite({ audio })).toEqual([{ ...request, requests: 2, audio: expected }]);
});

it('merged requests all get the earliest time', () => {
  const earlier = new Date(at.getTime() - 1);
  expect(unite({ at: new Date(at.getTime() + 1) }, { at: earlier, requests: 3 })).toEqual([
    { ...request, at: earlier, requests: 5 },
  ]);
});

it.each<[string, Partial<AudioRequest>]>([
  ['listener', { listener: 'b'.repeat(32) }],
  ['episode', { episodeId: request.podcastId }],
  ['file', { file: '1'.repeat(16) }],
  ['refusal', { refusal: 'probe' }],
  ['day', { at: new Date('2026-03-11T00:00:00Z') }],
])('a request with another %s stays apart', (_, other) => {
  expect(unite(other)).toEqual([request, { ...request, ...other }]);
});

it('merged requests have the source and referrer of the earliest', () => {
  const player = { source: 'player', referrer: 'a.example' } as const;
  const earlier = { at: new Date(at.getTime() - 1), ...player };
  expect(unite(player)).toEqual([{ ...request, requests: 2 }]);
  expect(unite(earlier)).toEqual([{ ...request, ...earlier, requests: 2 }]);
});

it('requests of a listener for two episodes in turns are two', () => {
  const other = { episodeId: request.podcastId };
  expect(unite(other, {}, other, {}).map(({ requests }) => requests)).toEqual([3, 2]);
});

it('refused requests for an episode are one, whoever sent them', () => {
  const united = new UnitedRequests();
  for (const [n, refusal] of (['probe', 'head', 'probe'] as const).entries())
    united.add(refusedRequests({ ...request, at: new Date(at.getTime() + n) }, refusal));
  expect(united.take()).toEqual([
    refusedRequests(request, 'probe', 2),
    refusedRequests({ ...request, at: new Date(at.getTime() + 1) }, 'head'),
  ]);
});

it('many scattered ranges become several requests, and none is lost', () => {
  const audio = Array.from({ length: 250 }, (_, n) => [{ start: n * 1_000, end: n * 1_000 + 9 }]);
  const united = unite(...audio.map((one) => ({ audio: one })));
  expect(united.length).toBeGreaterThan(1);
  expect(united.reduce((sum, { requests }) => sum + requests, 0)).toBe(251);
  expect(Math.max(...united.map((one) => one.audio.length))).toBeLessThan(120);
  expect(united.flatMap((one) => one.audio)).toEqual([
    { start: 0, end: 99 },
    ...audio.flat().slice(1),
  ]);
});

it('knows the earliest time of waiting requests, and forgets those that were taken', () => {
  const united = new UnitedRequests();
  expect([united.size, united.earliestAt]).toEqual([0, undefined]);
  united.add(request);
  united.add({ ...request, listener: 'b'.repeat(32), at: new Date(at.getTime() - 5) });
  expect([united.size, united.earliestAt]).toEqual([2, new Date(at.getTime() - 5)]);
  expect(united.take()).toHaveLength(2);
  united.add(request);
  expect(united.take()).toEqual([request]);
});
