import type { FastifyRequest } from 'fastify';
import { invalid } from '../../domain/errors.ts';
import type { Expectation } from '../../domain/revisions/index.ts';
import { HttpError } from '../errors.ts';

/** Ten digits exceed the column; the database is asked for nothing that it cannot hold. */
const oneRevision = /^"([1-9]\d{0,8})"$/;

/**
 * Reads `If-Match`, which every write of a podcast or an episode must have: the ETag of the answer
 * that the client has seen, or `*` to overwrite whatever is there. Throws 428 without it, and 400
 * for all other forms, lists and weak tags too.
 */
export function readExpectation({ headers }: FastifyRequest): Expectation {
  const value = headers['if-match'];
  if (value === undefined) {
    throw new HttpError({
      status: 428,
      code: 'precondition_required',
      message: 'Send If-Match with the ETag of what you have read, or with * to overwrite it.',
    });
  }
  if (value.trim() === '*') return {};
  const [, digits] = oneRevision.exec(value.trim()) ?? [];
  if (digits === undefined) {
    throw invalid('If-Match', 'If-Match must be one ETag such as "3", or *.');
  }
  return { expected: Number(digits) };
}
