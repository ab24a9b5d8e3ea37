import Type, { type TProperties, type TSchema } from 'typebox';

/** Builders for the fields of responses: each has a description and an example. */

/** A shape with a name of its own in the document. */
export const named = <P extends TProperties>($id: string, description: string, properties: P) =>
  Type.Object(properties, { $id, description });

/** A part of such a shape. */
export const part = <P extends TProperties>(description: string, properties: P) =>
  Type.Object(properties, { description });

export const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** A field described by its description and example. */
export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });
export const url = (description: string, example: string) =>
  Type.String({ format: 'uri', description, examples: [example] });
export const id = (description: string, example: string) =>
  Type.String({ format: 'uuid', description, examples: [example] });

/** One value of a list. */
export const values = (list: readonly string[], description: string, example: string) =>
  Type.Enum([...list], { type: 'string', description, examples: [example] });

export const moment = (description: string, example: string) =>
  Type.String({ format: 'date-time', description, examples: [example] });

/** A whole number that is not negative. */
export const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const flag = (description: string, example: boolean) =>
  Type.Boolean({ description, examples: [example] });

export const someCount = (example: number) => Type.Integer({ minimum: 0, examples: [example] });
export const someMoment = (example: string) =>
  Type.String({ format: 'date-time', examples: [example] });
export const someText = (example: string) => Type.String({ examples: [example] });
export const someUrl = (example: string) => Type.String({ format: 'uri', examples: [example] });

/** The installation in all examples and in the committed document. */
export const exampleBaseUrl = 'https://podstead.example';

/** All examples use one show and one episode of it. */
export const podcastExample = '0197a3c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f';
export const episodeExample = '0197a3c4-5d21-7b8e-9f10-6a2b3c4d5e6f';
export const imageExample = `${exampleBaseUrl}/images/0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c0.jpg`;
