import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBars, toPolygon } from './waveform.ts';

describe('toBars', () => {
  it('takes the maximum of each section, scaled to the overall maximum', () => {
    expect(toBars([0, 100, 50, 200, 10, 20], 3)).toEqual([0.5, 1, 0.1]);
  });

  it('stretches few peaks over many bars, and accepts silence', () => {
    expect(toBars([0, 255], 4)).toEqual([0, 0, 1, 1]);
    expect(toBars([0, 0, 0], 2)).toEqual([0, 0]);
  });

  it('always gives the requested number of bars, from 0 to 1', () => {
    const peaks = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(peaks, fc.integer({ min: 24, max: 160 }), (given, count) => {
        const bars = toBars(given, count);
        expect(bars).toHaveLength(count);
        for (const bar of bars) expect(bar >= 0 && bar <= 1).toBe(true);
      }),
    );
  });
});

describe('toPolygon', () => {
  it('follows the tops, then the bottoms, on the middle line between bars', () => {
    const [, points = ''] = /^polygon\((.*)\)$/.exec(toPolygon([1, 0.5])) ?? [];
    expect(points.split(',')).toEqual([
      ...['0.00% 50%', '0.00% 0.0%', '31.00% 0.0%', '31.00% 50%'],
      ...['50.00% 50%', '50.00% 25.0%', '81.00% 25.0%', '81.00% 50%'],
      ...['81.00% 50%', '81.00% 75.0%', '50.00% 75.0%', '50.00% 50%'],
      ...['31.00% 50%', '31.00% 100.0%', '0.00% 100.0%', '0.00% 50%'],
    ]);
  });
});
