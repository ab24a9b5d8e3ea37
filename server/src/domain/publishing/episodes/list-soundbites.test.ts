import { expect, it } from 'vitest';
import { listSoundbites } from './list-soundbites.ts';

const soundbite = (startTime: string, duration: string, text = '', name = 'podcast:soundbite') => ({
  name,
  attributes: [['startTime', startTime] as const, ['duration', duration] as const],
  ...{ text, children: [] },
});

// PAGE-32
it('the soundbites of an episode are in order of time, and begin before its end', () => {
  const elements = [
    soundbite('60.5', '30', ' The lamp '),
    soundbite('0', '0.5', '', 'PODCAST:SoundBite'),
    soundbite('100', '10', 'After the end'),
    soundbite('soon', '10', 'No time'),
    soundbite('5', '10', 'Another element', 'podcast:chapters'),
  ];
  const found = [
    { startMs: 0, durationMs: 500, title: null },
    { startMs: 60_500, durationMs: 30_000, title: 'The lamp' },
  ];
  expect(listSoundbites(elements, 100_000)).toEqual(found);
  expect(listSoundbites(elements, null)).toHaveLength(3);
  expect(listSoundbites([], null)).toEqual([]);
});
