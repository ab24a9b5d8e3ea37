import Type from 'typebox';
import { expect, it } from 'vitest';
import { readFields } from './read-fields.ts';

const schema = Type.Object({
  email: Type.String(),
  password: Type.String({ writeOnly: true }),
  days: Type.Integer(),
  agrees: Type.Boolean(),
  scopes: Type.Array(Type.String()),
});

it('gives each field the type its schema names', () => {
  const fields = { email: ' ana@example.com ', password: ' p ', days: '90', agrees: 'true' };
  expect(readFields(schema, { ...fields, scopes: 'a', other: 'x' })).toEqual({
    email: 'ana@example.com',
    password: ' p ',
    days: 90,
    agrees: true,
    scopes: ['a'],
  });
});

it('takes what is empty or does not come for left out', () => {
  expect(readFields(schema, { email: '  ', password: '', days: '' })).toEqual({
    agrees: false,
    scopes: [],
  });
});

it('leaves what is none of its types for the schema to refuse', () => {
  const fields = readFields(schema, { email: ['a', 'b'], days: '9e1', scopes: ['a', 'b'] });
  expect(fields).toEqual({ email: ['a', 'b'], days: '9e1', scopes: ['a', 'b'], agrees: false });
});
