import Type, { type TProperties } from 'typebox';
import type {
  DomainError,
  ErrorDetail,
  ErrorKind,
  SaidMessage,
} from '../domain/foundation/errors.ts';
import { formatEtag } from '../lib/conditional-request.ts';

/** Every `error.code`, with its texts for the documentation. */
export const errorCatalogue = {
  invalid_request: {
    title: 'Invalid request',
    meaning:
      'A parameter, the body or the URL is not valid for this endpoint. `details` names every wrong field.',
    remedy: 'Correct the fields named in `details` and send the request again.',
  },
  not_found: {
    title: 'Not found',
    meaning: 'Nothing that you can see has this URL: it is unknown, not public, or not yours.',
    remedy: 'Check the URL. A scheduled episode appears when it is published.',
  },
  unavailable: {
    title: 'Unavailable',
    meaning: "The show exists, but has used up its plan's downloads for the month.",
    remedy: 'Try again later; its owner has been notified.',
  },
  unauthorized: {
    title: 'Unauthorized',
    meaning: 'This endpoint requires an API key, and none was sent.',
    remedy: 'Send the header `Authorization: Bearer <API_KEY>`.',
  },
  invalid_api_key: {
    title: 'Invalid API key',
    meaning: 'The key is mistyped, unknown, revoked or expired.',
    remedy: 'Create or roll a key in the account settings.',
  },
  insufficient_scope: {
    title: 'Insufficient scope',
    meaning: 'The key does not have the scope that this endpoint requires.',
    remedy: 'Create a key with that scope, or widen this one.',
  },
  forbidden: {
    title: 'Forbidden',
    meaning:
      'Your role or the team keys setting does not allow this request, or you have not accepted the current terms.',
    remedy: "Ask the podcast's owner, or accept the terms in the app.",
  },
  plan_upgrade_required: {
    title: 'Plan upgrade required',
    meaning: "The podcast's plan does not include this, or has lapsed.",
    remedy: 'Upgrade or renew the plan.',
  },
  rate_limited: {
    title: 'Rate limited',
    meaning: 'More requests were made than the quota for this minute allows.',
    remedy: 'Wait for the number of seconds in `Retry-After`, plus a short random time.',
  },
  service_unavailable: {
    title: 'Service unavailable',
    meaning:
      'Something that the service depends on, such as its database, is not available right now.',
    remedy: 'Try again shortly.',
  },
  internal_error: {
    title: 'Internal error',
    meaning: 'Something went wrong in the service.',
    remedy: 'Try again. If the error persists, report the value of `X-Request-Id`.',
  },
  not_implemented: {
    title: 'Not implemented',
    meaning: 'The request was understood, but this service does not support it.',
    remedy: 'Use one of the documented forms.',
  },
} as const satisfies Record<string, { title: string; meaning: string; remedy: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Codes of the private API only. ERR-6 has those of the public API. */
export const privateErrorCodes = ['precondition_failed', 'precondition_required'] as const;
type PrivateErrorCode = (typeof privateErrorCodes)[number];

/** A refusal in terms of HTTP. */
export interface HttpFailure extends SaidMessage {
  readonly status: number;
  readonly code: ErrorCode | PrivateErrorCode;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A refusal for a reason that only HTTP has: a method, a header, a limit. */
export class HttpError extends Error {
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure) {
    super(failure.message);
    this.name = 'HttpError';
    this.failure = failure;
  }
}

const statusAndCode: Readonly<Record<ErrorKind, readonly [number, HttpFailure['code']]>> = {
  invalid: [400, 'invalid_request'],
  not_found: [404, 'not_found'],
  paused: [404, 'not_found'],
  unavailable: [403, 'unavailable'],
  forbidden: [403, 'forbidden'],
  insufficient_scope: [403, 'insufficient_scope'],
  plan_upgrade_required: [403, 'plan_upgrade_required'],
  precondition_failed: [412, 'precondition_failed'],
  rate_limited: [429, 'rate_limited'],
  service_unavailable: [503, 'service_unavailable'],
};

export function failureOf(error: DomainError): HttpFailure {
  const [status, code] = statusAndCode[error.kind];
  const { message, messageKey, values, details, retryAfterSeconds: wait, revision } = error;
  const headers = {
    ...(wait === undefined ? {} : { 'Retry-After': String(wait) }),
    ...(revision === undefined ? {} : { ETag: formatEtag(String(revision)) }),
  };
  return { status, code, message, messageKey, values, details, headers };
}

export const internalFailure: HttpFailure = {
  status: 500,
  code: 'internal_error',
  message: 'Something went wrong on our side.',
};

/**
 * The body of all errors. `docs_url` links to the code's section in the documentation, which has
 * the codes of the public API.
 */
export function errorBody(
  failure: HttpFailure,
  requestId: string,
  baseUrl: string,
  options: {
    /** Adds the keys of messages, for clients of the private API, which translate them. */
    readonly withKeys?: boolean;
  } = {},
): object {
  const { code, message, details = [] } = failure;
  const { withKeys = false } = options;
  return {
    error: {
      code,
      message,
      ...(withKeys && keyOf(failure)),
      ...(details.length > 0 && {
        details: details.map((detail) => presentDetail(detail, withKeys)),
      }),
      ...(code in errorCatalogue && { docs_url: `${baseUrl}/docs/errors#${code}` }),
      request_id: requestId,
    },
  };
}

function presentDetail(detail: ErrorDetail, withKeys: boolean): object {
  const { change, messageKey: _, values: __, ...shown } = detail;
  return {
    ...shown,
    ...(withKeys && keyOf(detail)),
    ...(change !== undefined && {
      changed_by: change.by,
      changed_at: change.at.toISOString(),
    }),
  };
}

function keyOf({ messageKey, values }: SaidMessage): object {
  return messageKey === undefined ? {} : { message_key: messageKey, values };
}

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
