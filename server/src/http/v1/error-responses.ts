import { type ErrorCode, errorCatalogue } from '../errors.ts';
import type { Access } from '../route.ts';
import type { ApiHeader } from './headers.ts';

interface ErrorResponse {
  /** Its name in the OpenAPI document. */
  readonly name: string;
  /** The first one is that of the example. */
  readonly codes: readonly [ErrorCode, ...ErrorCode[]];
  /** When it is given; where that is left out, what the catalogue says of the codes. */
  readonly description?: string;
  readonly headers?: readonly ApiHeader[];
  /** The rest of an example body. */
  readonly example: { readonly message: string; readonly details?: readonly object[] };
}

const publicErrors = {
  400: {
    name: 'InvalidRequest',
    codes: ['invalid_request'],
    example: {
      message: 'The request is wrong in limit.',
      details: [{ field: 'limit', message: 'This is 50 or less.' }],
    },
  },
  401: {
    name: 'Unauthorized',
    codes: ['invalid_api_key', 'unauthorized'],
    headers: ['Authenticate'],
    example: { message: 'This API key is mistyped, unknown, revoked or expired.' },
  },
  403: {
    name: 'Unavailable',
    codes: ['unavailable'],
    example: {
      message: 'This show has used up its downloads for the month and is not available now.',
    },
  },
  404: {
    name: 'NotFound',
    codes: ['not_found'],
    example: { message: 'There is no such podcast.' },
  },
  412: {
    name: 'PreconditionFailed',
    codes: ['invalid_request'],
    description:
      '`invalid_request`: The request has an `If-Match` header, and no ETag in it is the current one.',
    example: { message: 'This has changed: it is no longer what If-Match names.' },
  },
  429: {
    name: 'RateLimited',
    codes: ['rate_limited'],
    headers: ['RetryAfter'],
    example: { message: 'Too many requests from your network. Try again in a minute.' },
  },
  500: {
    name: 'InternalError',
    codes: ['internal_error'],
    example: { message: 'Something went wrong on our side.' },
  },
  501: {
    name: 'NotImplemented',
    codes: ['not_implemented'],
    example: { message: 'oEmbed answers in JSON only.' },
  },
  503: {
    name: 'ServiceUnavailable',
    codes: ['service_unavailable'],
    example: { message: 'Something is away for a moment. Try again shortly.' },
  },
} as const satisfies Record<number, ErrorResponse>;

export type ErrorStatus = keyof typeof publicErrors;

/** What a key is refused otherwise than the public. */
const keyedErrors: Partial<Record<ErrorStatus, ErrorResponse>> = {
  403: {
    name: 'Forbidden',
    codes: ['forbidden', 'insufficient_scope', 'plan_upgrade_required'],
    example: { message: "The owner of this podcast does not let its members' keys read it." },
  },
};

/** Whatever is asked for: a key in the address, a used-up minute, a fault of ours. */
export function errorsOfEveryEndpoint(access: Access): readonly ErrorStatus[] {
  const always = [400, 412, 429, 500, 503] as const;
  return access === 'key' ? [...always, 401, 403] : always;
}

export function describeError(status: ErrorStatus, access: Access): Required<ErrorResponse> {
  const ofKeys = access === 'key';
  const response: ErrorResponse = (ofKeys && keyedErrors[status]) || publicErrors[status];
  const { name, codes, headers = [] } = response;
  const meanings = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`);
  return {
    ...response,
    name: ofKeys ? `Keyed${name}` : name,
    description: response.description ?? meanings.join(' '),
    headers: [...headers, ...(ofKeys && status !== 401 ? countedHeaders : [])],
  };
}

const countedHeaders: readonly ApiHeader[] = ['RateLimitPolicyIfCounted', 'RateLimitIfCounted'];
