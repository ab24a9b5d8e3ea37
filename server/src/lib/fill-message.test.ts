import { expect, it } from 'vitest';
import { fillMessage } from './fill-message.ts';
import type { Language } from './languages.ts';

const fill = (message: string, language: Language, values: Record<string, string | number>) =>
  fillMessage(message, language, {
    value: (name) => String(values[name]),
    number: (name) => Number(values[name]),
  });

const shows = '{count, plural, one {One show} other {# shows}} you cannot connect';
const programs =
  '{n, plural, zero {لا برامج} one {برنامج} two {برنامجان} few {# برامج} many {# برنامجًا} other {# برنامج}}';

it.each([
  ['Hello {name}', 'en', { name: 'Ana' }, 'Hello Ana'],
  ['At most {max, number}', 'de', { max: 2048 }, 'At most 2.048'],
  [shows, 'en', { count: 1 }, 'One show you cannot connect'],
  [shows, 'en', { count: 1200 }, '1,200 shows you cannot connect'],
  [programs, 'ar', { n: 2 }, 'برنامجان'],
  ['{n, plural, =0 {none} other {#}}', 'ja', { n: 0 }, 'none'],
  ['{name} and {other}', 'en', { name: '{other}', other: 'x' }, '{other} and x'],
] as const)('%j in %s with %j: %s', (message, language, values, filled) => {
  expect(fill(message, language, values)).toBe(filled);
});

it('writes the text between values as it is told', () => {
  const notation = { value: () => '<b>', number: Number, text: (text: string) => `(${text})` };
  expect(fillMessage('a {x} b', 'en', notation)).toBe('(a )<b>( b)');
});
