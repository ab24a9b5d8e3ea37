import build from 'fast-json-stringify';
import { withoutNullBranches } from './null-branch.ts';

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
