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

it('converts each field to the type of its schema', () => {
  const fields = { email: ' ana@example.com ', password: ' p ', days: '90', agrees: 'true' };
  expect(readFields(schema, { ...fields, scopes: 'a', other: 'x' })).toEqual({
    email: 'ana@example.com',
    password: ' p ',
    days: 90,
    agrees: true,
    scopes: ['a'],
  });
});

it('omits empty and missing fields', () => {
  expect(readFields(schema, { email: '  ', password: '', days: '' })).toEqual({
    agrees: false,
    scopes: [],
  });
});

it('leaves invalid values for the schema to refuse', () => {
  const fields = readFields(schema, { email: ['a', 'b'], days: '9e1', scopes: ['a', 'b'] });
  expect(fields).toEqual({ email: ['a', 'b'], days: '9e1', scopes: ['a', 'b'], agrees: false });
});
