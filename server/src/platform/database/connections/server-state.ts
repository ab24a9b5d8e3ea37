import type { DatabaseServer, SessionTarget } from '../../../lib/database-url.ts';
import { isSqlError } from '../sql-errors.ts';

/** What libpq asks a server to find out whether it is suitable. */
export interface ServerState {
  readonly isStandby: boolean;
  /** Also on standbys. */
  readonly isReadOnly: boolean;
}

/** The columns of a statement with one row of ServerState. */
export const stateColumns = `pg_is_in_recovery() as "isStandby",
  current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

export function isSuitable(target: SessionTarget, { isStandby, isReadOnly }: ServerState): boolean {
  switch (target) {
    case 'read-write':
      return !isReadOnly;
    case 'read-only':
      return isReadOnly;
    case 'primary':
      return !isStandby;
    case 'standby':
      return isStandby;
    default:
      return true;
  }
}

/** A server responds, and is not of the kind that is needed. */
export class UnsuitableServerError extends Error {
  /** sqlserver_rejected_establishment_of_sqlconnection: another attempt may find another server. */
  readonly code = '08004';
  readonly isReadOnly: boolean;

  constructor({ isStandby, isReadOnly }: ServerState) {
    super(isStandby ? 'it is a standby' : isReadOnly ? 'it is read-only' : 'it is a primary');
    this.name = 'UnsuitableServerError';
    this.isReadOnly = isReadOnly;
  }
}

/** None of the servers is suitable; `failures` says why of each. */
export class NoServerError extends Error {
  /** sqlclient_unable_to_establish_sqlconnection: the database is away for now. */
  readonly code = '08001';
  readonly failures: readonly Error[];

  constructor(
    target: SessionTarget,
    servers: readonly DatabaseServer[],
    failures: readonly Error[],
  ) {
    const reasons = servers.map(({ name }, at) => `${name}: ${failures[at]?.message ?? 'unknown'}`);
    const kind = target === 'any' ? 'responds' : `is suitable (${target})`;
    super(`no server of the database ${kind}: ${reasons.join('; ')}`);
    this.name = 'NoServerError';
    this.failures = failures;
  }
}

/** Errors that any server may answer with, after which it may no longer be the one to use. */
const doubtfulCodes = new Set(['25006', '57P01', '57P02', '57P03']);

/** Whether the server said that it accepts no writes, or is about to stop or start. */
export function isServerChange(error: unknown): boolean {
  return isSqlError(error) && doubtfulCodes.has(error.code);
}
