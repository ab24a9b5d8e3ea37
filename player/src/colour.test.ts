import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast } from '../../server/src/http/pages/colour.ts';
import { createAccents } from './colour.ts';

type Colour = [number, number, number];
const parse = (text: string) => (text.match(/\d+/g) ?? []).map(Number) as Colour;
const light: Colour = [0xfd, 0xfc, 0xfa];
const dark: Colour = [0x16, 0x15, 0x13];

describe('createAccents', () => {
  it('leaves a colour alone that can be read', () => {
    expect(createAccents('#1f6f8b').light).toBe('rgb(31,111,139)');
    expect(createAccents('#f2b872').dark).toBe('rgb(242,184,114)');
  });

  it('has one of its own', () => {
    expect(createAccents(null).light).toBe('rgb(29,91,82)');
  });

  it('makes every colour one that can be read on either ground', () => {
    const part = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(part, part, part, (r, g, b) => {
        const hex = [r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('');
        const accents = createAccents(`#${hex}`);
        expect(contrast(parse(accents.light), light)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(parse(accents.dark), dark)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});
