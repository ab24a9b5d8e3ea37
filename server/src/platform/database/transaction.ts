import type { ControlledTransaction, Kysely, Transaction } from 'kysely';
import { TransactionAbortedError } from './connections/prepared-client.ts';
import { isSqlError, isStaleStatement, isTransactionConflict } from './sql-errors.ts';

import { withinTransaction } from './transaction-guard.ts';

/** Callbacks for the end of a transaction; each is synchronous. */
export interface AfterTransaction {
  onCommit(): void;
  /** The connection broke at the commit, so its result is unknown. */
  onUnknown(): void;
}

const MAX_ATTEMPTS = 3;

const pendingByTransaction = new WeakMap<object, Map<string, AfterTransaction>>();
const saidByTransaction = new WeakMap<object, Set<string>>();

/**
 * Runs `work` in a transaction and commits; inside another transaction, as part of it. The
 * outermost is retried, up to three times in all, after a conflict, so `work` must not have side
 * effects outside the database unless they may be repeated. It must use its handle: a query that
 * bypasses it is refused with QueryPastTransactionError.
 */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables> | Transaction<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  if (isTransaction(db)) return await work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withinTransaction((end) => attemptTransaction(db, work, end));
    } catch (error) {
      const mayRetry = isTransactionConflict(error) || isStaleStatement(error);
      if (!mayRetry || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/**
 * Runs `work` in a savepoint of this transaction. If it fails, only its writes are undone, and the
 * transaction can continue.
 */
export async function inSavepoint<Tables, Result>(
  db: Kysely<Tables> | Transaction<Tables>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isTransaction(db)) throw new Error('a savepoint needs a transaction');
  // `inTransaction` creates only this kind.
  const part = await (db as ControlledTransaction<Tables>).savepoint('part').execute();
  try {
    const result = await work();
    await part.releaseSavepoint('part').execute();
    return result;
  } catch (error) {
    // A rollback fails only if the connection has failed.
    await part
      .rollbackToSavepoint('part')
      .execute()
      .catch(() => undefined);
    throw error;
  }
}

/**
 * Registers callbacks for the end of the transaction behind `db`, once for each key; calls them at
 * once if `db` is not a transaction. A rollback calls nothing.
 */
export function afterTransaction<Tables>(
  db: Kysely<Tables> | Transaction<Tables>,
  key: string,
  action: AfterTransaction,
): void {
  if (!isTransaction(db)) {
    action.onCommit();
    return;
  }
  const pending = pendingByTransaction.get(db);
  if (!pending) throw new Error('this transaction was not begun by inTransaction');
  if (!pending.has(key)) pending.set(key, action);
}

/** Whether this is the first call for `key` in the transaction; always true outside of one. */
export function isFirstInTransaction<Tables>(
  db: Kysely<Tables> | Transaction<Tables>,
  key: string,
): boolean {
  if (!isTransaction(db)) return true;
  const said = saidByTransaction.get(db) ?? new Set();
  saidByTransaction.set(db, said);
  return said.size < said.add(key).size;
}

async function attemptTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
  end: () => void,
): Promise<Result> {
  const pending = new Map<string, AfterTransaction>();
  const transaction = await db.startTransaction().execute();
  pendingByTransaction.set(transaction, pending);
  let result: Result;
  try {
    result = await work(transaction);
  } catch (error) {
    await rollBack(transaction);
    throw error;
  }
  try {
    await transaction.commit().execute();
  } catch (error) {
    await rollBack(transaction);
    end();
    if (!isAnswerToCommit(error)) for (const action of pending.values()) action.onUnknown();
    throw error;
  }
  end();
  for (const action of pending.values()) action.onCommit();
  return result;
}

/** Never rejects: a rollback fails only with its connection, which also rolls back. */
async function rollBack<Tables>(transaction: ControlledTransaction<Tables>): Promise<void> {
  await transaction
    .rollback()
    .execute()
    .catch(() => undefined);
}

function isTransaction<Tables>(
  db: Kysely<Tables> | Transaction<Tables>,
): db is Transaction<Tables> {
  return db.isTransaction;
}

/** Whether the error is the server's response to COMMIT rather than a broken connection. */
function isAnswerToCommit(error: unknown): boolean {
  if (error instanceof TransactionAbortedError) return true;
  return isSqlError(error) && error.severity !== 'FATAL' && error.severity !== 'PANIC';
}
