import type { Sentence } from '../../lib/sentences.ts';
import { sayRefusal } from './refusals.ts';

/** Why a verb refuses. Independent of HTTP: `http/http-errors.ts` maps kinds to statuses. */
export type ErrorKind =
  | 'invalid' // the caller can fix it: a wrong parameter, a taken slug, a forbidden transition
  | 'not_found' // missing, or not visible to this caller
  | 'paused' // as not_found, but the page may name the show, which its owner has paused
  | 'unavailable' // exists, but is withheld: an overage-suspended show
  | 'forbidden' // the caller's role does not allow it
  | 'insufficient_scope' // the key does not hold the permission
  | 'plan_upgrade_required'
  | 'precondition_failed' // it changed since the caller read it; see `revision`
  | 'rate_limited' // too many requests; see `retryAfterSeconds`
  | 'service_unavailable'; // temporary

/** A message, and what clients need to say it in another language, where that is known. */
export type SaidMessage = Pick<Sentence, 'message'> & {
  readonly [Part in 'messageKey' | 'values']?: Sentence[Part] | undefined;
};

export interface ErrorDetail extends SaidMessage {
  /** The parameter or property, as named by the caller. */
  readonly field: string;
  /** A stable machine-readable value, if a rule names one (ERR-2). */
  readonly reason?: string;
  /** Who changed the field, and when; null: the operator or the service. */
  readonly change?: { readonly by: string | null; readonly at: Date };
}

export class DomainError extends Error implements SaidMessage {
  readonly kind: ErrorKind;
  readonly messageKey: SaidMessage['messageKey'];
  readonly values: SaidMessage['values'];
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;
  /** The present one of what changed in the meantime. */
  readonly revision: number | undefined;

  /** `message` and `details` are public; `cause` is for the log only. */
  constructor(
    kind: ErrorKind,
    message: string | SaidMessage,
    options: {
      details?: readonly ErrorDetail[];
      cause?: unknown;
      retryAfterSeconds?: number;
      revision?: number;
    } = {},
  ) {
    const said = toSaid(message);
    super(said.message, { cause: options.cause });
    this.name = 'DomainError';
    this.kind = kind;
    this.messageKey = said.messageKey;
    this.values = said.values;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.revision = options.revision;
  }
}

const toSaid = (message: string | SaidMessage): SaidMessage =>
  typeof message === 'string' ? { message } : message;

/** One wrong field, the most common refusal. */
export function invalid(
  field: string,
  message: string | SaidMessage,
  reason?: string,
): DomainError {
  const said = toSaid(message);
  const detail = { field, ...said, ...(reason !== undefined && { reason }) };
  return new DomainError('invalid', said, { details: [detail] });
}

/** Refuses with every wrong field at once, if there is any. */
export function refuseWrong(message: string, details: readonly ErrorDetail[]): void {
  if (details.length > 0) throw new DomainError('invalid', message, { details });
}

export function notFound(what: string): DomainError {
  return new DomainError('not_found', `There is no such ${what}.`);
}

/** For `proposeSlugs`, whose proposals end in random numbers: another try has others. */
export function noFreeSlug(): DomainError {
  return new DomainError('service_unavailable', 'No free slug was found. Please try again.');
}

/** The value; throws `not_found` if there is none. */
export function requireFound<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw notFound(what);
  return value;
}

/** What the token of an email's link proves. It works once, for a limited time; then this throws. */
export function requireLink<T>(proof: T | undefined): T {
  if (proof === undefined) throw invalid('token', sayRefusal('link_expired'), 'link_expired');
  return proof;
}

/** Why a file is not what it has to be. `message` is for the person who sent it. */
export class FileError<Reason extends string = string> extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.reason = reason;
  }
}
