import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../test/growth.ts';
import { preventLinks } from './prevent-links.ts';

describe('preventLinks', () => {
  it.each([
    ['evil.example', 'evil. example'],
    ['evil。example/', 'evil。 example/'],
    ['evil․com/login', 'evil․ com/login'],
    ['evil．example', 'evil． example'],
    ['evil｡example', 'evil｡ example'],
    ['evil﹒example', 'evil﹒ example'],
    ['log in at https://evil.example/x?y.z', 'log in at https: evil. example/x?y. z'],
    ['HTTP:// evil', 'HTTP:  evil'],
    ['hxxp：／／evil．com', 'hxxp: evil． com'],
    ['www.evil.example', 'www. evil. example'],
    ['eve@evil.example', 'eve @ evil. example'],
    ['eve＠evil．example', 'eve @ evil． example'],
    ['mailto:eve', 'mailto: eve'],
    ['192.0.2.1', '192. 0. 2. 1'],
    ['evil.\u200bexample', 'evil. \u200bexample'],
    ['пример.рф', 'пример. рф'],
    ['(evil.example)', '(evil. example)'],
    ['evil.example\tevil.example', 'evil. example\tevil. example'],
  ])('%j is %j', (text, expected) => expect(preventLinks(text)).toBe(expected));

  it.each([
    'Ana',
    'Dr. No & Co.',
    'AC/DC',
    'Web 2.0',
    'Ana: a host // a guest',
    'Wait for it…',
    '10:30',
    'Tom @home',
    '.NET',
    'podcasts:read, episodes:read',
    '你好',
  ])('%j stays', (text) => expect(preventLinks(text)).toBe(text));

  it('leaves no domain, address or scheme', () => {
    const parts = fc.constantFrom(
      ...['evil', 'example', 'com', '.', '。', '․', '．', '@', '://', ':', '/', ' ', '\u200b', '7'],
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (some) => {
        const text = preventLinks(some.join(''));
        expect(text).not.toMatch(/[\p{L}][.。．․]\p{Default_Ignorable_Code_Point}*\p{L}/u);
        expect(text).not.toMatch(/\S[@]\S|:\/\//u);
      }),
    );
  });

  it.each(['.', '.\u200b', 'a.', '@', ':', '://', ' ', 'tel:', '\u200b'])(
    'takes linear time: %j',
    (piece) => {
      const growth = measureGrowth((n) => preventLinks(piece.repeat(n)));
      expect(growth).toBeLessThan(acceptableGrowth);
    },
  );
});
