import { AsyncLocalStorage } from 'node:async_hooks';

/** A query bypassed the open transaction and went to the database itself. */
export class QueryPastTransactionError extends Error {
  constructor() {
    super('a query bypassed the open transaction; use the handle that inTransaction provides');
    this.name = 'QueryPastTransactionError';
  }
}

interface OpenTransaction {
  isOpen: boolean;
  /** The database of its connection. */
  source: object | undefined;
  /** The enclosing transaction, on another database. */
  readonly outer: OpenTransaction | undefined;
}

const current = new AsyncLocalStorage<OpenTransaction>();

/**
 * Runs a whole transaction, so that code can detect that it is inside. It ends when `work` calls
 * `end` or returns; work that continues afterwards is no longer part of it.
 */
export async function withinTransaction<Result>(
  work: (end: () => void) => Promise<Result>,
): Promise<Result> {
  const transaction: OpenTransaction = {
    isOpen: true,
    source: undefined,
    outer: current.getStore(),
  };
  const end = () => {
    transaction.isOpen = false;
  };
  try {
    return await current.run(transaction, () => work(end));
  } finally {
    end();
  }
}

/**
 * Call it before taking a connection. A transaction may take only its own connection. A second one
 * from the same source throws: on the embedded database, with its single session, it would
 * deadlock; on a server it would not see the transaction's changes.
 */
export function assertConnectionAllowed(source: object): void {
  const innermost = current.getStore();
  for (let open = innermost; open; open = open.outer) {
    if (open.isOpen && open.source === source) throw new QueryPastTransactionError();
  }
  if (innermost?.isOpen) innermost.source ??= source;
}
