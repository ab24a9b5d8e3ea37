import { describe, expect, it } from 'vitest';
import { findFlaws, middleSquare } from './square-picture.ts';

describe('a picture for a cover', () => {
  it.each([
    [1400, 1400, []],
    [3000, 3000, []],
    [1399, 1399, ['isSmall']],
    [3001, 3001, ['isLarge']],
    [3000, 1400, ['isNotSquare']],
    [4000, 1000, ['isNotSquare', 'isSmall', 'isLarge']],
  ])('a cover of %i × %i pixels has exactly the expected flaws', (width, height, expected) => {
    const flaws = Object.entries(findFlaws({ width, height }));
    expect(flaws.filter(([, has]) => has).map(([name]) => name)).toEqual(expected);
  });

  it('a picture for a cover is cropped to its middle, and made smaller but never larger', () => {
    expect(middleSquare({ width: 4000, height: 3501 })).toEqual({
      left: 249,
      top: 0,
      side: 3501,
      drawnSide: 3000,
    });
    expect(middleSquare({ width: 900, height: 1001 })).toEqual({
      left: 0,
      top: 50,
      side: 900,
      drawnSide: 900,
    });
  });
});
