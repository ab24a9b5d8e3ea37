import { Ajv } from 'ajv';
import Type, { type TSchema } from 'typebox';
import { expect, it } from 'vitest';
import { findNul, wordsFor } from './schema-errors.ts';

it.each<[string, TSchema, string]>([
  [
    'values',
    Type.Union([Type.Literal('true'), Type.Literal('false')]),
    'This must be true or false.',
  ],
  ['types', Type.Union([Type.Boolean(), Type.Null()]), 'This must be true or false or null.'],
  [
    'a value and lists of them',
    Type.Union([Type.Enum(['all', 'none']), Type.Array(Type.String())]),
    'This must be all or none or a list.',
  ],
  ['what its description says', Type.Union([Type.Null()], { description: 'A day.' }), 'A day.'],
])('the refusal of a union names %s', (_, schema, message) => {
  const isFitting = new Ajv({ allErrors: true, verbose: true }).compile(schema);
  expect(isFitting('maybe')).toBe(false);
  const error = isFitting.errors?.find(({ keyword }) => keyword === 'anyOf');
  expect(error && wordsFor(error)).toEqual({ message });
});

it('finds a NUL character in a nested text', () => {
  expect(findNul({ a: 'fine', b: [{ c: 'x' }, { c: 'x\0' }] })).toEqual(['b', '1', 'c']);
  expect(findNul({ a: ['fine', null, 1, true] })).toBeUndefined();
});

it('searches JSON of any depth', () => {
  const depth = 100_000;
  const deep = JSON.parse(`${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`);
  expect(findNul(deep)).toHaveLength(depth);
});
