import Type, { type TProperties, type TSchema, type TUnsafe } from 'typebox';
import {
  type ElementOwner,
  type ElementValues,
  elementsOf,
  valuesOf,
} from '../../lib/fields/feed-elements.ts';
import type { Field, FieldList, WireValues } from '../../lib/fields/field.ts';
import { maxChars } from '../../lib/limits.ts';
import { uuidPattern } from '../../lib/uuid.ts';
import { wireName } from '../../lib/wire-names.ts';

/**
 * Fields of the private API's requests and responses. Schemas only define types; the domain checks
 * bounds and choices, and reports all problems at once.
 */

/** A request body without additional properties. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** A shape with a name of its own in the document. */
export const named = <P extends TProperties>($id: string, properties: P) =>
  Type.Object(properties, { $id });

/** The same fields, each of which may be left out. */
export const optional = <P extends TProperties>(fields: P) =>
  Type.Partial(Type.Object(fields)).properties;

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const email = Type.String({ description: 'An email address.' });

/** Never sent back, and never trimmed. */
export const password = Type.String({ description: 'A password.', writeOnly: true });

/** The token of a link in an email. */
export const token = Type.String({ description: 'The token from the link in the email.' });

export const id = Type.String({
  pattern: `^${uuidPattern}$`,
  description: 'This must be a UUID.',
});

export const moment = Type.String({ description: 'ISO 8601, UTC, with milliseconds.' });

/** Words to search for. The database cannot store NUL. */
export const searched = (description: string) =>
  Type.Optional(Type.String({ maxLength: maxChars.search, pattern: '^[^\\u0000]*$', description }));

/** Path parameters; each is an id. */
export const ids = <N extends string>(...names: readonly N[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, id])) as Record<N, typeof id>);

/** Fields beside a `message` in English, with which clients translate it. */
export const translatable = {
  message_key: Type.Optional(Type.String({ description: 'Identifies the sentence in `message`.' })),
  values: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'The values in `message`, by name.',
    }),
  ),
};

type Schemas<Values> = { readonly [Name in keyof Values]: TUnsafe<Values[Name]> };

/** The fields of a list under the names of the private API. The domain checks their bounds. */
export function fieldSchemas<L extends FieldList>(list: L): Schemas<WireValues<L>> {
  const named = Object.entries(list).map(([name, field]) => {
    const schema = typeOf(field);
    return [wireName(name), field.nullable === true ? nullable(schema) : schema];
  });
  return Object.fromEntries(named) as Schemas<WireValues<L>>;
}

function typeOf(field: Field): TSchema {
  const { about: description } = field;
  switch (field.kind) {
    case 'number':
      return Type.Integer({ description });
    case 'flag':
      return Type.Boolean({ description });
    case 'choice':
      return Type.Enum([...field.choices], { type: 'string', description });
    case 'categories':
      return Type.Array(
        Type.Object({ category: Type.String(), subcategory: nullable(Type.String()) }),
        { description },
      );
    case 'prefixes':
      return Type.Array(Type.String(), { description });
    case 'arrangement':
      return Type.Array(Type.Enum([...field.choices], { type: 'string' }), { description });
    case 'funding':
      return Type.Array(Type.Object({ url: Type.String(), text: nullable(Type.String()) }), {
        description,
      });
    default:
      return Type.String({ description });
  }
}

type ElementSchemas = Readonly<Record<string, TUnsafe<readonly object[]>>>;

/** The lists of feed elements of a show or an episode. The domain checks bounds and forms. */
export function elementSchemas(owner: ElementOwner): ElementSchemas {
  const named = elementsOf(owner).map(([name, { about, values }]) => {
    return [wireName(name), Type.Array(entrySchema(values, owner), { description: about })];
  });
  return Object.fromEntries(named) as ElementSchemas;
}

function entrySchema(values: ElementValues, owner: ElementOwner): TSchema {
  const named = valuesOf(values, owner).map(([name, value]) => {
    const { label, hint } = value;
    const description = hint === undefined ? `${label}.` : `${label}. ${hint}`;
    const schema =
      value.kind === 'elements'
        ? Type.Array(entrySchema(value.values, owner), { description })
        : (typed[value.kind]?.(description) ?? Type.String({ description }));
    // The domain requires values, so that it names all problems at once.
    return [wireName(name), Type.Optional(schema)];
  });
  return closed(Object.fromEntries(named) as TProperties);
}

const typed: Readonly<Record<string, (description: string) => TSchema>> = {
  flag: (description) => Type.Boolean({ description }),
  whole: (description) => Type.Integer({ description }),
  seconds: (description) => Type.Number({ description }),
};

export const Pagination = named('Pagination', { next_cursor: nullable(Type.String()) });
