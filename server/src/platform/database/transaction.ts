import type { Kysely, Transaction } from 'kysely';
import { TransactionAbortedError } from './prepared-client.ts';
import { isSqlError, isStaleStatement, isTransactionConflict } from './sql-errors.ts';

import { withinTransaction } from './transaction-guard.ts';

/** What a transaction leaves to be done when it has ended; each runs synchronously. */
export interface AfterTransaction {
  onCommit(): void;
  /** The connection broke at the commit: nobody can say whether it was carried out. */
  onUnknown(): void;
}

const MAX_ATTEMPTS = 3;

const pendingByTransaction = new WeakMap<object, Map<string, AfterTransaction>>();
const saidByTransaction = new WeakMap<object, Set<string>>();

/**
 * Runs `work` in a transaction and commits it; within one that is open already, as a part of that.
 * The outermost is done again, up to three times in all, when it lost against another transaction:
 * so `work` does nothing outside the database, or only what may be done twice. It must use the
 * handle it is given: a query past it is refused with QueryPastTransactionError.
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
 * Has something done once the transaction behind `db` has ended, once for each key; at once when
 * `db` is no transaction. Nothing is done when it is rolled back.
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

/** Whether this is the first time for `key` in the transaction; outside of one it always is. */
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
    // A rollback fails only with its connection, which rolls back too: the cause is what counts.
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
  try {
    await transaction.commit().execute();
  } catch (error) {
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    end();
    if (!isAnswerToCommit(error)) for (const action of pending.values()) action.onUnknown();
    throw error;
  }
  end();
  for (const action of pending.values()) action.onCommit();
  return result;
}

function isTransaction<Tables>(
  db: Kysely<Tables> | Transaction<Tables>,
): db is Transaction<Tables> {
  return db.isTransaction;
}

/** An error that says that the transaction was rolled back, rather than that the line is dead. */
function isAnswerToCommit(error: unknown): boolean {
  if (error instanceof TransactionAbortedError) return true;
  return isSqlError(error) && error.severity !== 'FATAL' && error.severity !== 'PANIC';
}
