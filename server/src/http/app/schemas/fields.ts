import Type, { type TProperties, type TSchema } from 'typebox';

/**
 * What the private API's requests and answers are made of. Here stands what kind of thing a field
 * is; its bounds and choices are the domain's, which says all that is wrong at once.
 */

/** A request's body: whatever it does not name is refused. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** An answer's body. */
export const data = <T extends TSchema>(schema: T) => Type.Object({ data: schema });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const email = Type.String({ description: 'An e-mail address.' });

/** Never sent back, and taken as it was typed. */
export const password = Type.String({ description: 'A password.', writeOnly: true });

/** Of a letter's link. */
export const token = Type.String({ description: 'What the link of the letter holds.' });

export const id = Type.String({
  pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  description: 'This is a UUID.',
});

export const moment = Type.String({ description: 'ISO 8601, UTC, with milliseconds.' });

/** Path parameters, each of them an id. */
export const ids = <N extends string>(...names: readonly N[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, id])) as Record<N, typeof id>);

/** Required to be true where there are terms, which the domain sees to. */
export const acceptsTerms = Type.Optional(Type.Boolean());
