import type { Static, TObject, TSchema } from 'typebox';
import type { FormFields } from '../../route.ts';

/**
 * Converts form fields to the types of the schema, which then validates them. An unchecked box is
 * missing, an empty field is omitted, and text is trimmed, except passwords (`writeOnly`).
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
