import type { TSchema } from 'typebox';

/**
 * "X or null" as `type: [X, 'null']` instead of `anyOf`: as OpenAPI 3.1 writes it for readers, and
 * as what writes answers is fastest at, which else tries one branch after the other. What has fixed
 * values, or is a component, stays as it is.
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
