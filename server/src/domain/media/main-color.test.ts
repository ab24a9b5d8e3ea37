import { describe, expect, it } from 'vitest';
import { findMainColor } from './main-color.ts';

const paint = (...parts: readonly [count: number, r: number, g: number, b: number][]) =>
  Uint8Array.from(
    parts.flatMap(([count, ...rgb]) => Array.from({ length: count }, () => rgb)).flat(),
  );

describe('findMainColor', () => {
  it('takes the color that there is most of, not the gray around it', () => {
    expect(findMainColor(paint([900, 250, 250, 250], [80, 200, 30, 40], [20, 30, 60, 200]))).toBe(
      '#c81e28',
    );
  });

  it('takes shades of one hue together', () => {
    expect(findMainColor(paint([50, 20, 40, 120], [50, 40, 80, 240], [20, 220, 60, 20]))).toMatch(
      /^#2\w4\w[cd]\w$/,
    );
  });

  it.each([
    ['black and white', paint([10, 0, 0, 0], [10, 255, 255, 255])],
    ['gray', paint([100, 128, 128, 128])],
    ['an old photograph, hardly tinged', paint([100, 130, 128, 125])],
    ['nothing', new Uint8Array()],
  ])('finds none in %s', (_, pixels) => {
    expect(findMainColor(pixels)).toBeNull();
  });
});
