/** What a verb refuses with. Says nothing of HTTP: `http/errors.ts` turns a kind into a status. */
export type ErrorKind =
  | 'invalid' // the caller can mend it: a wrong parameter, a taken slug, a forbidden transition
  | 'not_found' // not there, or not for this caller
  | 'unavailable' // there, but withheld: an overage-suspended show
  | 'forbidden' // the caller's role does not allow it
  | 'insufficient_scope' // the key does not hold the permission
  | 'plan_upgrade_required'
  | 'rate_limited' // too many in a while: `retryAfterSeconds` says how long
  | 'service_unavailable'; // try again shortly

export interface ErrorDetail {
  /** The parameter or property, as the caller named it. */
  readonly field: string;
  readonly message: string;
  /** A stable machine value, where one is promised. */
  readonly reason?: string;
}

export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;

  /** `message` and `details` are public; `cause` is for the log alone. */
  constructor(
    kind: ErrorKind,
    message: string,
    options: {
      details?: readonly ErrorDetail[];
      cause?: unknown;
      retryAfterSeconds?: number;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.kind = kind;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** One wrong field, the commonest refusal. */
export function invalid(field: string, message: string, reason?: string): DomainError {
  const detail = reason === undefined ? { field, message } : { field, message, reason };
  return new DomainError('invalid', message, { details: [detail] });
}

export function notFound(what: string): DomainError {
  return new DomainError('not_found', `There is no such ${what}.`);
}

/** Of a letter's link, which works once and not for long. */
export function linkExpired(): DomainError {
  return invalid('token', 'This link was used already, or is too old.', 'link_expired');
}
