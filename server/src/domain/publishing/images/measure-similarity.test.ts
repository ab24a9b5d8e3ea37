import { expect, it } from 'vitest';
import { measureSimilarity } from './measure-similarity.ts';

const size = { width: 20, height: 16, channels: 3 };
const pixels = (valueAt: (at: number) => number): Uint8Array =>
  Uint8Array.from({ length: 20 * 16 * 3 }, (_, at) => valueAt(at));
const wave = pixels((at) => 128 + 100 * Math.sin(at));

it('equal pictures have a similarity of 1', () => {
  expect(measureSimilarity({ data: wave, ...size }, wave)).toBeCloseTo(1, 10);
});

it('the similarity falls with the difference, below 0 for a negative', () => {
  const withError = (most: number) =>
    measureSimilarity(
      { data: wave, ...size },
      wave.map((value, at) => value + (at % 2) * most),
    );
  expect(withError(4)).toBeGreaterThan(0.95);
  expect(withError(4)).toBeGreaterThan(withError(16));
  expect(
    measureSimilarity(
      { data: wave, ...size },
      wave.map((value) => 255 - value),
    ),
  ).toBeLessThan(0);
});

it('a picture smaller than a block counts as equal', () => {
  const tiny = { data: new Uint8Array(3), width: 1, height: 1, channels: 3 };
  expect(measureSimilarity(tiny, Uint8Array.of(9, 9, 9))).toBe(1);
});
