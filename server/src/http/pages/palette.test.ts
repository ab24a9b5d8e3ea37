import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, mix, tryParseColor } from '../../lib/color.ts';
import {
  bandStyle,
  createBand,
  createPalette,
  createVeil,
  paletteStyle,
  pictureStyle,
} from './palette.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('createPalette', () => {
  it.each(['light', 'dark'] as const)(
    'createPalette is legible for any brand color: %s',
    (scheme) => {
      fc.assert(
        fc.property(anyColor, (brand) => {
          const { ground, tint, ink, muted, accent, fill, label } = createPalette(brand, scheme);
          for (const text of [ink, muted, accent]) {
            for (const behind of [ground, tint]) {
              expect(contrast(text, behind)).toBeGreaterThanOrEqual(4.5);
            }
          }
          expect(contrast(label, fill)).toBeGreaterThanOrEqual(4.5);
        }),
      );
    },
  );

  // PAGE-38
  it('buttons have the color of the show as it is if it is bright', () => {
    for (const brand of ['#ffd400', '#ff8800', '#d0d0d0', '#ffffff']) {
      for (const scheme of ['light', 'dark'] as const) {
        const { fill, label } = createPalette(brand, scheme);
        expect([fill, label]).toEqual([tryParseColor(brand), [0x16, 0x15, 0x13]]);
      }
    }
    for (const brand of ['#e01b24', '#1d5b52', '#000000']) {
      const { fill, label, accent, ground } = createPalette(brand, 'light');
      expect([fill, label]).toEqual([accent, ground]);
    }
  });

  it('lightens a dark color for the dark background', () => {
    const { ground, tint, accent } = createPalette('#1e1463', 'dark');
    for (const behind of [ground, tint]) {
      expect(contrast(accent, behind)).toBeGreaterThanOrEqual(5);
    }
  });

  it('a black or dark gray is nearly white on the dark background, and no hue is', () => {
    const ratioOf = (brand: string) => {
      const { ground, accent } = createPalette(brand, 'dark');
      return contrast(accent, ground);
    };
    for (const brand of ['#000000', '#07080c', '#55555a']) {
      expect(ratioOf(brand), brand).toBeGreaterThan(11);
    }
    expect(ratioOf('#1e1463')).toBeLessThan(8);
  });

  it('keeps a legible color', () => {
    expect(createPalette('#aa3300', 'light').accent).toEqual(tryParseColor('#aa3300'));
  });

  it('createPalette has a default for a missing or invalid color', () => {
    expect(createPalette('red;}</style>', 'light')).toEqual(createPalette(null, 'light'));
  });
});

describe('createBand', () => {
  it.each(['light', 'dark'] as const)('createBand is legible for any brand color: %s', (scheme) => {
    fc.assert(
      fc.property(anyColor, (brand) => {
        const { ground, tint, ink, muted, accent, fill, label } = createBand(brand, scheme);
        expect(contrast(label, fill)).toBeGreaterThanOrEqual(4.5);
        for (const text of [ink, muted, accent]) {
          for (const behind of [ground, tint]) {
            expect(contrast(text, behind)).toBeGreaterThanOrEqual(4.5);
          }
        }
      }),
    );
  });

  it('white text is on dark colors, and black text on light ones', () => {
    expect(createBand('#221668', 'light').ink).toEqual([255, 255, 255]);
    expect(createBand('#808080', 'light').ink).toEqual([255, 255, 255]);
    expect(createBand('#ffd400', 'light').ink).toEqual([0, 0, 0]);
    expect(createBand('#ffd400', 'dark').ink).toEqual([255, 255, 255]);
  });

  it('bandStyle never contains an invalid color', () => {
    expect(bandStyle('</style><script>', 'auto')).not.toContain('<');
  });
});

// PAGE-24
describe('a band with a picture', () => {
  it('a band with a picture is legible on any picture, for any color of the show', () => {
    fc.assert(
      fc.property(anyColor, anyColor, (brand, pixel) => {
        const { opacity, ground, tint, ink, muted, accent } = createVeil(brand);
        // As a browser draws it.
        const behind = mix(ground, tryParseColor(pixel) ?? [255, 255, 255], opacity);
        for (const text of [ink, muted, accent]) {
          for (const under of [behind, ground, tint]) {
            expect(contrast(text, under)).toBeGreaterThanOrEqual(4.5);
          }
        }
        expect(opacity).toBeLessThan(0.8);
      }),
    );
  });

  it('a band with a picture has no veil on paper and in the colors of the system', () => {
    expect(pictureStyle('#aa3300')).toMatch(/^@media screen and \(forced-colors:none\)\{/);
    expect(pictureStyle('</style><script>')).not.toContain('<');
  });
});

describe('paletteStyle', () => {
  it('follows the theme, or the reader', () => {
    expect(paletteStyle(null, 'dark')).toMatch(
      /^:root,\.sheet\{color-scheme:dark;--ground:#161513;/,
    );
    expect(paletteStyle(null, 'light')).not.toContain('prefers-color-scheme');
    expect(paletteStyle(null, 'auto')).toContain(
      '@media (prefers-color-scheme:dark){:root,.sheet{',
    );
  });

  it('never contains an invalid color', () => {
    expect(paletteStyle('</style><script>', 'auto')).not.toContain('<');
  });
});

describe('contrast', () => {
  it('contrast is the ratio of WCAG', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([0x77, 0x77, 0x77], [255, 255, 255])).toBeCloseTo(4.48, 2);
    expect(contrast([9, 9, 9], [9, 9, 9])).toBe(1);
  });
});
