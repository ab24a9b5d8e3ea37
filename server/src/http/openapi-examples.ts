import type { TSchema } from 'typebox';

interface Exemplary {
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
}

/** Builds an example from those of the parts. Throws if a part has none. */
export function exampleOf(schema: TSchema): unknown {
  const { examples, enum: values, anyOf, items, properties, ...rest } = schema as Exemplary;
  const [given] = examples ?? values ?? (rest.const === undefined ? [rest.default] : [rest.const]);
  if (given !== undefined) return given;
  if (properties !== undefined) {
    const parts = Object.entries(properties).map(([name, part]) => [name, exampleOf(part)]);
    return Object.fromEntries(parts);
  }
  if (items !== undefined) return [exampleOf(items)];
  const [first] = anyOf ?? [];
  if (first !== undefined) return exampleOf(first);
  throw new Error(`A schema without an example: ${JSON.stringify(schema)}`);
}
