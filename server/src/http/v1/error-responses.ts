import { type ErrorCode, errorCatalogue } from '../errors.ts';
import type { ApiHeader } from './headers.ts';

interface ErrorResponse {
  /** Its name in the OpenAPI document. */
  readonly name: string;
  readonly code: ErrorCode;
  /** When it is given; where that is left out, what the catalogue says of the code. */
  readonly description?: string;
  readonly headers?: readonly ApiHeader[];
  /** The rest of an example body. */
  readonly example: { readonly message: string; readonly details?: readonly object[] };
}

/** The errors that public endpoints give. */
export const errorResponses = {
  400: {
    name: 'InvalidRequest',
    code: 'invalid_request',
    example: {
      message: 'The request is wrong in limit.',
      details: [{ field: 'limit', message: 'This is 50 or less.' }],
    },
  },
  403: {
    name: 'Unavailable',
    code: 'unavailable',
    example: {
      message: 'This show has used up its downloads for the month and is not available now.',
    },
  },
  404: {
    name: 'NotFound',
    code: 'not_found',
    example: { message: 'There is no such podcast.' },
  },
  412: {
    name: 'PreconditionFailed',
    code: 'invalid_request',
    description: 'The request has an `If-Match` header, and no ETag in it is the current one.',
    example: { message: 'This has changed: it is no longer what If-Match names.' },
  },
  429: {
    name: 'RateLimited',
    code: 'rate_limited',
    headers: ['RetryAfter'],
    example: { message: 'Too many requests from your network. Try again in a minute.' },
  },
  500: {
    name: 'InternalError',
    code: 'internal_error',
    example: { message: 'Something went wrong on our side.' },
  },
  501: {
    name: 'NotImplemented',
    code: 'not_implemented',
    example: { message: 'oEmbed answers in JSON only.' },
  },
  503: {
    name: 'ServiceUnavailable',
    code: 'service_unavailable',
    example: { message: 'Something is away for a moment. Try again shortly.' },
  },
} as const satisfies Record<number, ErrorResponse>;

export type ErrorStatus = keyof typeof errorResponses;

/** Whatever is asked for: a key in the address, a used-up minute, a fault of ours. */
export const errorsOfEveryEndpoint: readonly ErrorStatus[] = [400, 412, 429, 500, 503];

export function describeError(status: ErrorStatus): Required<ErrorResponse> {
  const response: ErrorResponse = errorResponses[status];
  const { meaning } = errorCatalogue[response.code];
  return { headers: [], ...response, description: response.description ?? meaning };
}
