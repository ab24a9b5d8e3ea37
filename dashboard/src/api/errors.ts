import type { SaidMessage } from '../sentences/say-message.ts';

/** A field that the server refuses, or that somebody else has changed (`reason` is `changed`). */
export interface ErrorDetail {
  readonly field: string;
  /** In the language of the app, if it knows the sentence. */
  readonly message: string;
  readonly reason?: string;
}

interface Refusal {
  /** 0: the request got no response. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  /** The version on the server, for status 412. */
  readonly revision?: number | undefined;
  /** How long the server wants no requests. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A refusal of the server, or that it cannot be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  readonly revision: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, message, details = [], ...more }: Refusal) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = more.requestId;
    this.revision = more.revision;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  /** The message about one field of a form. */
  about(field: string): string | undefined {
    return this.details.find((detail) => detail.field === field)?.message;
  }
}

export async function readRefusal(response: Response): Promise<ApiError> {
  const { status } = response;
  const revision = Number(/^"(\d+)"$/.exec(response.headers.get('ETag') ?? '')?.[1] ?? Number.NaN);
  const common = {
    status,
    revision: Number.isNaN(revision) ? undefined : revision,
    retryAfterSeconds: readRetryAfter(response.headers.get('Retry-After')),
  };
  try {
    const { error } = await response.json();
    return new ApiError({
      ...common,
      ...(await translate(error)),
      requestId: error.request_id,
    });
  } catch {
    // A proxy in front of the server may respond with anything.
    return new ApiError({
      ...common,
      code: 'unexpected',
      message: `The server responded with status ${status}.`,
    });
  }
}

type SentDetail = ErrorDetail & SaidMessage;
type SentRefusal = Pick<Refusal, 'code'> &
  SaidMessage & { readonly details?: readonly SentDetail[] };

/** The sentences are loaded with the first refusal; that may fail without a connection. */
async function translate(sent: SentRefusal): Promise<SentRefusal> {
  try {
    const { sayRefusal } = await import('../sentences/say-refusal.ts');
    const details = (sent.details ?? []).map((detail) => {
      return { ...detail, message: sayRefusal(detail, detail.reason) };
    });
    const [first] = details;
    // A message without a key says in English what the details say, or only names their fields.
    const isSaidByDetail = sent.code === 'invalid_request' && sent.message_key === undefined;
    const message = (isSaidByDetail && first?.message) || sayRefusal(sent, sent.code);
    return { ...sent, message, details };
  } catch {
    return sent;
  }
}

/** The value in seconds or as a date; at most an hour. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), mostWaitingSeconds);
}

const mostWaitingSeconds = 60 * 60;

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401;

export const isOffline = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 0;

/** The message about a field of a form, or about one of its items (`podcasts.0`). */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.details.find((detail) => isAbout(detail, field))?.message;
}

/** The messages about other fields than these. */
export function otherProblems(error: ApiError, fields: readonly string[]): string[] {
  return error.details
    .filter((detail) => !fields.some((field) => isAbout(detail, field)))
    .map(({ message }) => message);
}

/** Why the server refused, for programs: `details[].reason`. */
export function hasReason(error: unknown, reason: string): boolean {
  return error instanceof ApiError && error.details.some((detail) => detail.reason === reason);
}

function isAbout({ field: name }: ErrorDetail, field: string): boolean {
  return name === field || name.startsWith(`${field}.`);
}

/** True if another attempt may succeed: the network, a restart, a database that is away. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
