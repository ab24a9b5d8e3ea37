import Type, { type TProperties } from 'typebox';
import { type ErrorCode, errorCatalogue } from './errors.ts';

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

const detailProperties = {
  field: Type.String({ description: 'The parameter or property.', examples: ['limit'] }),
  message: Type.String({
    description: 'What is wrong with it.',
    examples: ['This must be 50 or less.'],
  }),
  reason: Type.Optional(
    Type.String({
      description: 'A stable value for programs, if the endpoint documents one.',
      examples: ['outside_retention'],
    }),
  ),
};

/**
 * The body of all errors of an API, with these codes, and more fields in the error and its details.
 */
export function describeEnvelope(
  codes: readonly string[],
  more: { readonly error?: TProperties; readonly detail?: TProperties } = {},
) {
  const ErrorDetail = Type.Object(
    { ...detailProperties, ...more.detail },
    { additionalProperties: false, description: 'One invalid field.' },
  );
  return Type.Object(
    {
      error: Type.Object(
        {
          code: Type.Enum([...codes], {
            type: 'string',
            description: 'What went wrong, for programs. `docs_url` links to its description.',
            examples: ['invalid_request'],
          }),
          message: Type.String({
            description: 'What went wrong, for people. The wording may change.',
            examples: ['The request is invalid: limit.'],
          }),
          ...more.error,
          details: Type.Optional(Type.Array(ErrorDetail, { description: 'All invalid fields.' })),
          docs_url: Type.Optional(
            Type.String({
              format: 'uri',
              description: 'Where the code is explained.',
              examples: ['https://podstead.example/docs/errors#invalid_request'],
            }),
          ),
          request_id: Type.Optional(
            Type.String({
              format: 'uuid',
              description: 'The same as `X-Request-Id`.',
              examples: ['8d5c2a4e-7f0b-4a8e-9c3d-1b2f6e7a9d40'],
            }),
          ),
        },
        { additionalProperties: false, description: 'The error.' },
      ),
    },
    { $id: 'Error', additionalProperties: false, description: 'The body of every error.' },
  );
}

/** The body of all errors of the public API. It must never get new fields. */
export const ErrorEnvelope = describeEnvelope(errorCodes);
