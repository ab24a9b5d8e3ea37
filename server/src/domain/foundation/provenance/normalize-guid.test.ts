import { describe, expect, it } from 'vitest';
import { normalizeGuid } from './fingerprint.ts';

const WHITE_SPACE = [
  ...[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
];

describe('normalizeGuid', () => {
  // PRINT-3, PRINT-4
  it('trims exactly the white space of ECMAScript', () => {
    const trimmed = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => {
      const character = String.fromCharCode(code);
      const around = normalizeGuid(`${character}a${character}`);
      return around === 'a' && normalizeGuid(character) === null;
    });
    expect(trimmed).toEqual(WHITE_SPACE);
    expect(normalizeGuid('\u0085a\u0085')).toBe('\u0085a\u0085');
  });

  // PRINT-3
  it.each([
    'ABC def',
    'a\u00a0\t\nb',
    'HTTPS://A.example:443/%7e?x#y',
    'e\u0301',
    'null',
    '\u0085',
    '\u200b',
  ])('keeps %j', (guid) => {
    expect(normalizeGuid(guid)).toBe(guid);
    expect(normalizeGuid(` \n${guid}\ufeff`)).toBe(guid);
  });

  // PRINT-3
  it.each(['', ' ', '\ufeff\u3000\r\n'])('counts %j as missing', (guid) => {
    expect(normalizeGuid(guid)).toBeNull();
  });
});
