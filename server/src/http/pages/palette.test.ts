import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, tryParseColour } from './colour.ts';
import { createPalette, paletteStyle } from './palette.ts';

const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('createPalette', () => {
  it.each(['light', 'dark'] as const)('can be read whatever the brand colour, %s', (scheme) => {
    fc.assert(
      fc.property(anyColour, (brand) => {
        const { ground, tint, ink, muted, accent } = createPalette(brand, scheme);
        for (const text of [ink, muted, accent]) {
          for (const behind of [ground, tint]) {
            expect(contrast(text, behind)).toBeGreaterThanOrEqual(4.5);
          }
        }
      }),
    );
  });

  it('leaves a colour alone that can be read as it is', () => {
    expect(createPalette('#aa3300', 'light').accent).toEqual(tryParseColour('#aa3300'));
  });

  it('has a colour of its own for a show without one, or with nonsense', () => {
    expect(createPalette('red;}</style>', 'light')).toEqual(createPalette(null, 'light'));
  });
});

describe('paletteStyle', () => {
  it('follows the theme, or the reader', () => {
    expect(paletteStyle(null, 'dark')).toMatch(/^:root\{color-scheme:dark;--ground:#161513;/);
    expect(paletteStyle(null, 'light')).not.toContain('prefers-color-scheme');
    expect(paletteStyle(null, 'auto')).toContain('@media (prefers-color-scheme:dark){:root{');
  });

  it('never carries what is no colour', () => {
    expect(paletteStyle('</style><script>', 'auto')).not.toContain('<');
  });
});

describe('contrast', () => {
  it('is the ratio of WCAG', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([0x77, 0x77, 0x77], [255, 255, 255])).toBeCloseTo(4.48, 2);
    expect(contrast([9, 9, 9], [9, 9, 9])).toBe(1);
  });
});
