import type { Static, TObject, TSchema } from 'typebox';
import type { FormFields } from '../../route.ts';

/**
 * The fields of a form in the types of its schema, which then says what is wrong with them: a check
 * box that is off does not come, an empty field is one left out, white space around a text is not
 * meant; a password is taken as it is (`writeOnly`).
 */
export function readFields<S extends TObject>(schema: S, fields: FormFields): Partial<Static<S>> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = readField(property, fields[name]);
    if (value !== undefined) values[name] = value;
  }
  return values as Partial<Static<S>>;
}

function readField(schema: TSchema, given: FormFields[string] | undefined): unknown {
  const { type, writeOnly } = schema as { type?: string; writeOnly?: boolean };
  if (type === 'boolean') return given === 'true';
  if (type === 'array') return given === undefined ? [] : [given].flat();
  if (typeof given !== 'string') return given;
  const text = writeOnly === true ? given : given.trim();
  if (text === '') return undefined;
  return type === 'integer' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}
