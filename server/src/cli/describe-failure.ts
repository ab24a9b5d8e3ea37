import { DomainError } from '../domain/errors.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';

/** A refusal of the command line's own, in words for whoever typed it. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Whoever called changed their mind (Ctrl-C), or the process is told to stop. */
export class CancelledError extends Error {
  constructor(message = 'Cancelled.') {
    super(message);
    this.name = 'CancelledError';
  }
}

/** One line where one thing is wrong; a line more for each where several are. */
export function describeFailure(error: unknown): string {
  const cause = innermost(error);
  if (cause instanceof DomainError) return describeRefusal(cause);
  if (!(cause instanceof Error)) return String(cause);
  return describeSystemError(cause) ?? asSentence(cause.message || cause.name);
}

/** Nobody's input explains it: its stack is worth printing. */
export function isFault(error: unknown): boolean {
  const cause = innermost(error);
  if (cause instanceof TypeError || cause instanceof ReferenceError) return true;
  return cause instanceof Error && 'severity' in cause && !isDatabaseAway(cause);
}

/** What went wrong first: not that something could not be closed after it, nor the whole list. */
function innermost(error: unknown): unknown {
  if (error instanceof SuppressedError) return innermost(error.suppressed);
  if (error instanceof AggregateError && error.message === '') return innermost(error.errors[0]);
  return error;
}

function describeRefusal({ message, details }: DomainError): string {
  const [only] = details;
  if (only === undefined) return message;
  if (details.length > 1) {
    return [message, ...details.map(({ field, message }) => `  ${field}: ${message}`)].join('\n');
  }
  return only.message === message
    ? `${only.field}: ${message}`
    : `${message} ${only.field}: ${only.message}`;
}

function asSentence(message: string): string {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$|\n/.test(sentence) ? sentence : `${sentence}.`;
}

const systemErrors: Readonly<Record<string, (error: NodeJS.ErrnoException) => string>> = {
  ENOENT: ({ path }) => `There is no file ${path}.`,
  EACCES: ({ path }) => `${path} cannot be opened: permission denied.`,
  EISDIR: ({ path }) => `${path ?? 'This'} is a folder, not a file.`,
  ENOTDIR: ({ path }) => `${path} lies in what is no folder.`,
  EEXIST: ({ path }) => `${path} is there already, and no folder.`,
  ENOSPC: () => 'The disk is full.',
  ECONNREFUSED: (error) => `Nothing answers at ${addressOf(error)}.`,
  ENOTFOUND: (error) => `There is no host ${addressOf(error)}.`,
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
