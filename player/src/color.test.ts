import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast } from '../../server/src/lib/color.ts';
import { createAccents } from './color.ts';

type Color = [number, number, number];
const parse = (text: string) => (text.match(/\d+/g) ?? []).map(Number) as Color;
const light: Color = [0xfd, 0xfc, 0xfa];
const dark: Color = [0x16, 0x15, 0x13];

describe('createAccents', () => {
  it('keeps a readable color', () => {
    expect(createAccents('#1f6f8b').light).toBe('rgb(31,111,139)');
    expect(createAccents('#f2b872').dark).toBe('rgb(242,184,114)');
  });

  // PAGE-38: the style sheet puts dark text on it.
  it('a bright color is recognized', () => {
    const brightOnes = ['#ffd400', '#ff8800', '#d0d0d0', '#ffffff'];
    for (const color of brightOnes) expect(createAccents(color).isBright).toBe(true);
    for (const color of ['#e01b24', '#1d5b52', '#000000'])
      expect(createAccents(color).isBright).toBe(false);
  });

  it('createAccents has a default', () => {
    expect(createAccents(null).light).toBe('rgb(29,91,82)');
  });

  it('makes every color readable on both backgrounds', () => {
    const part = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(part, part, part, (r, g, b) => {
        const hex = [r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('');
        const accents = createAccents(`#${hex}`);
        expect(contrast(parse(accents.light), light)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(parse(accents.dark), dark)).toBeGreaterThanOrEqual(4.5);
        if (accents.isBright) expect(parse(accents.dark)).toEqual([r, g, b]);
      }),
    );
  });
});
