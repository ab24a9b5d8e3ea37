import { expect, it } from 'vitest';
import { sentenceAt } from './find-quote.ts';

const segment = (startMs: number, text: string, speaker = 'Ana') => ({
  ...{ startMs, endMs: startMs + 4_000, text, speaker },
});
const segments = [
  segment(0, 'Welcome. Today we'),
  segment(4_000, 'talk about bees.'),
  segment(8_000, 'Really? All of them?', 'Bo'),
  segment(12_000, 'All of'),
  segment(16_000, 'them! Bees know.'),
  segment(60_000, '', ''),
];

it.each<[second: number, index: number, speaker: string | undefined, text: string | undefined]>([
  [0, 0, 'Ana', 'Welcome.'],
  [3, 0, 'Ana', 'Today we talk about bees.'],
  [5, 1, 'Ana', 'Today we talk about bees.'],
  [8, 2, 'Bo', 'Really?'],
  [11, 2, 'Bo', 'All of them?'],
  [12, 3, 'Ana', 'All of them!'],
  [29, 4, 'Ana', 'Bees know.'],
  // Ten seconds of silence are music.
  [31, 4, undefined, undefined],
  [60, 5, undefined, undefined],
])('the sentence at second %i', (second, index, speaker, text) => {
  expect(sentenceAt({ segments, index }, second * 1000)).toEqual(text && { speaker, text });
});

it('the sentence of a text without any end is a part of it', () => {
  const endless = [segment(0, 'word '.repeat(2_000)), segment(4_000, 'word '.repeat(2_000))];
  const quote = sentenceAt({ segments: endless, index: 1 }, 4_000);
  expect(quote?.text.length).toBeLessThanOrEqual(2_000);
});
