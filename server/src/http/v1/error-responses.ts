import { type ErrorCode, errorCatalogue } from '../http-errors.ts';
import { type RouteGroup, routeGroupOf } from '../route-groups.ts';
import type { ApiHeader } from './headers.ts';

interface ErrorResponse {
  /** The name in the OpenAPI document. */
  readonly name: string;
  /** The example uses the first code. */
  readonly codes: readonly [ErrorCode, ...ErrorCode[]];
  /** When the error occurs; default: the meanings of the codes in the catalogue. */
  readonly description?: string;
  readonly headers?: readonly ApiHeader[];
  /** The other fields of the example body. */
  readonly example: { readonly message: string; readonly details?: readonly object[] };
}

const publicErrors = {
  400: {
    name: 'InvalidRequest',
    codes: ['invalid_request'],
    example: {
      message: 'The request is invalid: limit.',
      details: [{ field: 'limit', message: 'This must be 50 or less.' }],
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
      message: 'This show has used up its downloads for the month and is not available right now.',
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
    example: { message: 'This has changed and no longer matches If-Match.' },
  },
  413: {
    name: 'TooLarge',
    codes: ['invalid_request'],
    description: '`invalid_request`: The body is larger than this endpoint accepts.',
    example: { message: 'Request body is too large' },
  },
  415: {
    name: 'UnsupportedMediaType',
    codes: ['invalid_request'],
    headers: ['AcceptEncoding'],
    description: '`invalid_request`: The body is not JSON, or has a content coding.',
    example: { message: 'Unsupported Media Type' },
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
    example: { message: 'oEmbed responses are available in JSON only.' },
  },
  503: {
    name: 'ServiceUnavailable',
    codes: ['service_unavailable'],
    headers: ['RetryAfter'],
    example: { message: 'Temporarily unavailable. Try again shortly.' },
  },
} as const satisfies Record<number, ErrorResponse>;

export type ErrorStatus = keyof typeof publicErrors;

/** Errors that are different for keys. */
const keyedErrors: Partial<Record<ErrorStatus, ErrorResponse>> = {
  403: {
    name: 'Forbidden',
    codes: ['forbidden', 'insufficient_scope', 'plan_upgrade_required'],
    example: { message: "This podcast's owner does not allow members to use API keys." },
  },
};

/** The properties of a route that decide its errors. */
interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly access: string;
  readonly body?: unknown;
}

/**
 * Errors of every endpoint, such as a key in the address, a used-up limit or an internal error.
 */
export function errorsOfEveryEndpoint({ method, access, body }: Endpoint): readonly ErrorStatus[] {
  return [
    ...([400, 429, 500, 503] as const),
    // Only reads evaluate conditions such as If-Match.
    ...(method === 'GET' ? ([412] as const) : []),
    ...(body === undefined ? [] : ([413, 415] as const)),
    ...(access === 'key' ? ([401, 403] as const) : []),
  ];
}

/** Each group of routes has its own headers, so its errors have names of their own. */
const prefixes: Partial<Record<RouteGroup['name'], string>> = { keyed: 'Keyed', sites: 'Site' };

export function describeError(
  status: ErrorStatus,
  { access, path }: Endpoint,
): Required<ErrorResponse> {
  const ofKeys = access === 'key';
  const response: ErrorResponse = (ofKeys && keyedErrors[status]) || publicErrors[status];
  const { name, codes, headers = [] } = response;
  const meanings = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`);
  return {
    ...response,
    name: `${prefixes[routeGroupOf(path).name] ?? ''}${name}`,
    description: response.description ?? meanings.join(' '),
    headers: [...headers, ...(ofKeys && status !== 401 ? countedHeaders : [])],
  };
}

const countedHeaders: readonly ApiHeader[] = ['RateLimitPolicyIfCounted', 'RateLimitIfCounted'];
