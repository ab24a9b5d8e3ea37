import { DomainError } from '../domain/foundation/errors.ts';
import { firstError } from '../lib/first-error.ts';
import { isDatabaseAway } from '../platform/database/connections/database-away.ts';
import { NoTablesError } from '../platform/database/migrations/migration-files.ts';

/** A refusal by the command line itself. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** The caller cancelled (Ctrl-C), or the process stops. */
export class CancelledError extends Error {
  constructor(message = 'Cancelled.') {
    super(message);
    this.name = 'CancelledError';
  }
}

/** One line for one problem, one more line for each of several. */
export function describeFailure(error: unknown): string {
  const cause = firstError(error);
  if (cause instanceof DomainError) return describeRefusal(cause);
  if (cause instanceof NoTablesError) return describeNoTables(cause);
  if (!(cause instanceof Error)) return String(cause);
  return describeSystemError(cause) ?? asSentence(cause.message || cause.name);
}

/** An internal error, whose stack is worth printing. */
export function isFault(error: unknown): boolean {
  const cause = firstError(error);
  if (cause instanceof TypeError || cause instanceof ReferenceError) return true;
  if (!(cause instanceof Error) || !('severity' in cause)) return false;
  return !isDatabaseAway(cause) && describeSystemError(cause) === undefined;
}

/** Only operators see this; messages for others name no settings. */
export const outboundHint = 'OUTBOUND_ALLOW lists the private networks that may be reached.';

/** What the command line adds to refusals of the domain, which name no commands, by their reason. */
const hints: Readonly<Record<string, string>> = {
  address_not_allowed: outboundHint,
  draft_first: 'Use `episode unpublish`.',
  feed_locked:
    '`import code` sends that code. As the operator, you can ignore the lock with --ignore-lock.',
};

function describeRefusal({ message, details }: DomainError): string {
  const [only] = details;
  const hint = hints[only?.reason ?? ''];
  if (hint !== undefined) return `${message} ${hint}`;
  if (only === undefined) return message;
  if (details.length > 1) {
    return [message, ...details.map(({ field, message }) => `  ${field}: ${message}`)].join('\n');
  }
  return only.message === message
    ? `${only.field}: ${message}`
    : `${message} ${only.field}: ${only.message}`;
}

function describeNoTables({ database }: NoTablesError): string {
  return [
    `The database ${database} has no Podstead tables.`,
    'Check DATABASE_URL. To create a new installation in this database, run `migrate` first.',
  ].join('\n');
}

function asSentence(message: string): string {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$|\n/.test(sentence) ? sentence : `${sentence}.`;
}

const systemErrors: Readonly<Record<string, (error: NodeJS.ErrnoException) => string>> = {
  ENOENT: ({ path }) => `There is no file ${path}.`,
  EACCES: ({ path }) => `${path} cannot be opened: permission denied.`,
  EISDIR: ({ path }) => `${path ?? 'This'} is a folder, not a file.`,
  ENOTDIR: ({ path }) => `Part of the path ${path} is not a folder.`,
  EEXIST: ({ path }) => `${path} already exists and is not a folder.`,
  ENOSPC: () => 'The disk is full.',
  ECONNREFUSED: (error) => `Nothing is listening at ${addressOf(error)}.`,
  ENOTFOUND: (error) => `The host ${addressOf(error)} was not found.`,
  // Refusals of PostgreSQL. Their messages name the database or the user, never the password.
  '3D000': ({ message }) =>
    `${asSentence(message)}\nCheck the database name in DATABASE_URL, or create the database first.`,
  '28000': ({ message }) =>
    `${asSentence(message)}\nCheck the user in DATABASE_URL, and whether PostgreSQL allows it to connect.`,
  '28P01': ({ message }) =>
    `${asSentence(message)}\nCheck the user and the password in DATABASE_URL.`,
  '42501': ({ message }) =>
    `${asSentence(message)}\nMake the user in DATABASE_URL the owner of the database: ` +
    'ALTER DATABASE name OWNER TO user.',
};

function describeSystemError(error: NodeJS.ErrnoException): string | undefined {
  return systemErrors[error.code ?? '']?.(error);
}

function addressOf(error: NodeJS.ErrnoException): string {
  const { address, hostname, port } = error as {
    address?: string;
    hostname?: string;
    port?: number;
  };
  const host = address ?? hostname ?? error.path ?? 'the address';
  return port === undefined ? host : `${host}:${port}`;
}
