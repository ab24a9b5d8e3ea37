import { expect, test } from 'vitest';
import { firstError } from './first-error.ts';

const first = new Error('first');
const closing = (error: unknown) => new SuppressedError(new Error('closing'), error);

test.each([
  ['an error', first],
  ['one after which closing failed', closing(first)],
  ['one after which closing failed twice', closing(closing(first))],
  ['a connection that was refused at all addresses', new AggregateError([first, new Error('b')])],
])('the first error of %s', (_, error) => {
  expect(firstError(error)).toBe(first);
});

test('a list of errors with a message of its own stays', () => {
  const list = new AggregateError([first], 'All of it failed.');
  expect(firstError(list)).toBe(list);
});
