import { describe, expect, it } from 'vitest';
import { containsWebAddress, isDisplayName } from './display-name.ts';

describe('a name that somebody gave', () => {
  it.each([
    'Ana',
    ' Ana ',
    'João da Silva',
    'محمد',
    '李小龍',
    '👩‍💻',
    'می‌خواهم',
    '#1',
    'Zoë (she/her)',
    'a\u200fb',
    'x'.repeat(20),
  ])('a name that somebody gave is %j', (name) => expect(isDisplayName(name, 20)).toBe(true));

  it.each([
    ['nothing', ''],
    ['blank', ' \u00a0\u3000'],
    ['too long', 'x'.repeat(21)],
    ['of several lines', 'a\r\nb'],
    ['of several lines, by a separator', 'a\u2028b'],
    ['with a NUL', 'a\0b'],
    ['with an escape', 'a\u001b[2J'],
    ['of zero width', '\u200b\u200d\ufeff'],
    ['a filler', '\u3164'],
    ['an empty pattern of Braille', '\u2800'],
    ['an accent on nothing', '\u0301'],
    ['with reversed direction', 'a\u202egnp.exe'],
    ['isolated', 'a\u2066b'],
    ['with a lone surrogate', 'a\ud83d'],
  ])('a name that somebody gave is not %s', (_, name) =>
    expect(isDisplayName(name, 20)).toBe(false),
  );
});

it.each([
  ['win at https://example.com', true],
  ['HTTP://x', true],
  ['log in at WWW.evil.example', true],
  ['see evil.example/x', true],
  ['Ana: a host // a guest', false],
  ['J.R.R. Tolkien / Dr. No', false],
  ['ana.b', false],
])('%j holds a web address: %s', (name, holds) => expect(containsWebAddress(name)).toBe(holds));
