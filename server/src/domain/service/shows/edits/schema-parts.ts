import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { maxShowNotesLength } from '../../../../lib/html/sanitize-show-notes.ts';

/** Schemas that seed files and changes share. */

export const entry = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
export const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
export const list = <T extends TSchema>(items: T) => Type.Optional(Type.Array(items));

export const Text = Type.String();
export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const NullableFlag = Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] });
export const NullableWhole = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
export const NullableHtml = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: maxShowNotesLength,
});
const Path = Type.String({ minLength: 1 });
export const NullablePath = Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1 });
export const Moment = Type.String({ format: 'moment' });
export const NullableMoment = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'moment',
});

export const personProperties = {
  name: Text,
  role: Type.Optional(Text),
  group: Type.Optional(Text),
  user: Type.Optional(NullableText),
  bio: Type.Optional(NullableText),
  link_url: Type.Optional(NullableText),
  photo: Type.Optional(NullablePath),
  roster: Type.Optional(Type.Boolean()),
};

export const CategoryEntry = entry({
  category: Text,
  subcategory: Type.Optional(NullableText),
});

export const FundingEntry = entry({
  url: Text,
  text: Type.Optional(NullableText),
});

/** In seed files, null means the same as missing; in a change, it removes the value. */
export const nullable = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] }));
const eitherOr = (first: string, second: string) => ({
  additionalProperties: false,
  if: { type: 'object' },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's word for it.
  then: {
    oneOf: [{ required: [first] }, { required: [second] }],
    description: `This must have exactly one of ${first} and ${second}.`,
  },
});

export const AudioEntry = Type.Object(
  {
    file: Type.Optional(Path),
    tone_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 7200 })),
  },
  eitherOr('file', 'tone_seconds'),
);

export const TranscriptEntry = Type.Object(
  {
    file: Type.Optional(Path),
    text: Type.Optional(Text),
    language: Type.Optional(Type.String({ format: 'language' })),
  },
  eitherOr('file', 'text'),
);

/** A transcript other than the first; its language is required. */
export const OtherTranscriptEntry = Type.Object(
  {
    file: Type.Optional(Path),
    text: Type.Optional(Text),
    language: Type.String({ format: 'language' }),
  },
  eitherOr('file', 'text'),
);

export const ChaptersEntry = Type.Object(
  { file: Type.Optional(Path), text: Type.Optional(Text) },
  eitherOr('file', 'text'),
);

export type AudioEntry = Static<typeof AudioEntry>;
export type TranscriptEntry = Static<typeof TranscriptEntry>;
export type OtherTranscriptEntry = Static<typeof OtherTranscriptEntry>;
export type ChaptersEntry = Static<typeof ChaptersEntry>;
