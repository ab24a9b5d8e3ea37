import { oddText, type Random } from './random.ts';

/** The parts of JSON Schema that the routes use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly examples?: readonly unknown[];
}

const ofWrongTypes = [null, true, 0, -1.5, 1e300, '', 'x', [], [[]], {}, { a: 1 }, ['x', null]];

/** `known`: values that fit a field of this name, such as ids that exist. */
export interface Hints {
  known(name: string): string | undefined;
}

/** A value for a schema: mostly a valid one. */
export function valueFor(random: Random, schema: object, hints: Hints, name = ''): unknown {
  return make(random, schema as Schema, hints, name, 0);
}

function make(random: Random, schema: Schema, hints: Hints, name: string, depth: number): unknown {
  if (random.chance(0.03)) return random.pick(ofWrongTypes);
  if (random.chance(0.04)) return oddText(random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return make(random, random.pick(choices), hints, name, depth);
  const type = typeof schema.type === 'object' ? random.pick(schema.type) : schema.type;
  if (type === 'object' || schema.properties !== undefined)
    return makeObject(random, schema, hints, depth);
  if (type === 'array') {
    const length = random.chance(0.02) ? 500 : random.below(4);
    const { items = {} } = schema;
    return Array.from({ length }, () =>
      make(random, items, hints, name.replace(/s$/, ''), depth + 1),
    );
  }
  if (type === 'integer' || type === 'number') return makeNumber(random, schema, type);
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'null') return null;
  return makeText(random, schema, hints, name);
}

function makeObject(
  random: Random,
  { properties = {}, required = [] }: Schema,
  hints: Hints,
  depth: number,
): object {
  const object: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (!required.includes(name) && random.chance(depth > 3 ? 0.9 : 0.5)) continue;
    if (random.chance(0.02)) continue;
    object[name] = make(random, schema, hints, name, depth + 1);
  }
  if (random.chance(0.03)) object[oddText(random)] = oddText(random);
  return object;
}

function makeNumber(
  random: Random,
  { minimum = 0, maximum = 1_000 }: Schema,
  type: string,
): number {
  if (random.chance(0.1))
    return random.pick([minimum - 1, maximum + 1, 2 ** 31, 2 ** 53, -1, 0.5, 1e21]);
  const value = minimum + random.next() * (maximum - minimum);
  return type === 'integer' ? Math.round(value) : value;
}

const byFormat: Readonly<Record<string, () => string>> = {
  'date-time': () => new Date().toISOString(),
  moment: () => new Date().toISOString(),
  date: () => new Date().toISOString().slice(0, 10),
  uri: () => 'https://example.com/a?b=c',
  email: () => 'someone@example.com',
  language: () => 'en',
};

function makeText(
  random: Random,
  { format, examples }: Schema,
  hints: Hints,
  name: string,
): unknown {
  const known = hints.known(name);
  if (known !== undefined && random.chance(0.85)) return known;
  const made = format === undefined ? undefined : byFormat[format];
  if (made !== undefined && random.chance(0.8)) return made();
  if (examples !== undefined && examples.length > 0 && random.chance(0.7))
    return random.pick(examples);
  return random.chance(0.5) ? 'Some text' : oddText(random);
}
