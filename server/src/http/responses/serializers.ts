import build from 'fast-json-stringify';
import type { TSchema } from 'typebox';

type Serialize = (value: unknown) => string;

const compiled = new WeakMap<object, Serialize>();

/**
 * Writes values as JSON by a schema. The schema is compiled at first use, because compiling those
 * of all routes would take a third of the server's start.
 */
export function serializerFor(schema: object): Serialize {
  let serialize: Serialize | undefined;
  return (value) => {
    serialize ??= compiled.get(schema) ?? compileSerializer(schema);
    return serialize(value);
  };
}

/** Throws for an invalid schema. Other servers of this process share the result. */
export function compileSerializer(schema: object): Serialize {
  const serialize = build(withoutNullBranches(schema));
  compiled.set(schema, serialize);
  return serialize;
}

/**
 * Writes "X or null" as `type: [X, 'null']` instead of `anyOf`. This is shorter in OpenAPI 3.1, and
 * the serializer is faster with it: it tries the branches of `anyOf` one after the other. Enums and
 * named components are not changed.
 */
export function withoutNullBranch(schema: TSchema): object {
  const { anyOf, ...outer } = schema as { anyOf?: readonly Named[] };
  const [inner, nothing, ...more] = anyOf ?? [];
  if (inner === undefined || nothing?.['type'] !== 'null' || more.length > 0) return schema;
  if (typeof inner['type'] !== 'string' || '$id' in inner || 'enum' in inner) return schema;
  return { ...inner, ...outer, type: [inner['type'], 'null'] };
}

type Named = Readonly<Record<string, unknown>>;

/** The same in every part of a schema. */
export function withoutNullBranches<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withoutNullBranches) as T;
  if (typeof part !== 'object' || part === null) return part;
  const parts = Object.entries(withoutNullBranch(part as TSchema));
  return Object.fromEntries(parts.map(([key, value]) => [key, withoutNullBranches(value)])) as T;
}
