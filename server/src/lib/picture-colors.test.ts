import { describe, expect, it } from 'vitest';
import { findMainColor, findPictureColors } from './picture-colors.ts';

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
    ['an old photograph with almost no color', paint([100, 130, 128, 125])],
    ['nothing', new Uint8Array()],
  ])('finds none in %s', (_, pixels) => {
    expect(findMainColor(pixels)).toBeNull();
  });
});

describe('findPictureColors', () => {
  const red = [60, 200, 30, 40] as const;
  const orange = [30, 200, 60, 30] as const;
  const blue = [40, 30, 60, 200] as const;

  it('gives different colors, the one with most first', () => {
    const pixels = paint([900, 250, 250, 250], [...red], [...blue]);
    expect(findPictureColors(pixels, 4)).toEqual(['#c81e28', '#1e3cc8']);
    expect(findPictureColors(pixels, 1)).toEqual(['#c81e28']);
  });

  it('leaves out what looks nearly the same', () => {
    expect(findPictureColors(paint([...red], [...orange], [...blue]), 4)).toHaveLength(2);
  });

  it('gives none of a picture in grays', () => {
    expect(findPictureColors(paint([100, 130, 128, 125]), 4)).toEqual([]);
  });
});
