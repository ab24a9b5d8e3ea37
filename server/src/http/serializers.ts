import build from 'fast-json-stringify';
import { withoutNullBranches } from './null-branch.ts';

type Serialize = (value: unknown) => string;

const compiled = new WeakMap<object, Serialize>();

/**
 * Writes values as JSON by a schema, which is compiled with the first of them: to compile those of
 * all routes takes a third of a server's start.
 */
export function serializerFor(schema: object): Serialize {
  let serialize: Serialize | undefined;
  return (value) => {
    serialize ??= compiled.get(schema) ?? compileSerializer(schema);
    return serialize(value);
  };
}

/** Throws for a schema that is none. Other servers of the process use the result too. */
export function compileSerializer(schema: object): Serialize {
  const serialize = build(withoutNullBranches(schema));
  compiled.set(schema, serialize);
  return serialize;
}
