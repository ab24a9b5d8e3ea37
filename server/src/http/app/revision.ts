import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { invalid } from '../../domain/foundation/errors.ts';
import type { Expectation } from '../../domain/foundation/revisions/index.ts';
import { HttpError } from '../http-errors.ts';

/** At most nine digits, because ten may exceed the database column. */
const oneRevision = /^"([1-9]\d{0,8})"$/;

/** The same in a body. */
export const SeenRevision = Type.Integer({
  minimum: 1,
  maximum: 999_999_999,
  description: 'The ETag, as a number.',
});

/**
 * Reads `If-Match`, which every write of a podcast or an episode must have: the ETag of the response
 * that the client has seen, or `*` to overwrite any state. Throws 428 if it is missing, and 400 for
 * other forms, such as lists and weak tags.
 */
export function readExpectation({ headers }: FastifyRequest): Expectation {
  const value = headers['if-match'];
  if (value === undefined) {
    throw new HttpError({
      status: 428,
      code: 'precondition_required',
      message:
        'Send If-Match with the ETag of the version you read, or with * to overwrite any version.',
    });
  }
  if (value.trim() === '*') return {};
  const [, digits] = oneRevision.exec(value.trim()) ?? [];
  if (digits === undefined) {
    throw invalid('If-Match', 'If-Match must be a single ETag such as "3", or *.');
  }
  return { expected: Number(digits) };
}
