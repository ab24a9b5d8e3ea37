import Type, { type TProperties, type TSchema } from 'typebox';
import { maxChars } from '../../../lib/limits.ts';
import { uuidPattern } from '../../../lib/uuid.ts';

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
