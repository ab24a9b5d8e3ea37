import { AsyncLocalStorage } from 'node:async_hooks';

/** A query was sent to the database itself where a transaction on it is open. */
export class QueryPastTransactionError extends Error {
  constructor() {
    super(
      'a query went past the transaction that it stands in; use the handle inTransaction gives',
    );
    this.name = 'QueryPastTransactionError';
  }
}

interface OpenTransaction {
  isOpen: boolean;
  /** What its connection came from. */
  source: object | undefined;
  /** The one it was begun within, on another database. */
  readonly outer: OpenTransaction | undefined;
}

const current = new AsyncLocalStorage<OpenTransaction>();

/**
 * Runs all of a transaction, from its beginning on, so that it can be told from within. It is over
 * when `work` calls `end`, or ends; what was begun within and goes on is no part of it any more.
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
 * Called before a connection is taken. Within a transaction the first is its own, and a second from
 * the same source throws: on the embedded database, with its one session, it would be waited for
 * without end; on a server it would see and change what the transaction does not.
 */
export function assertConnectionAllowed(source: object): void {
  const innermost = current.getStore();
  for (let open = innermost; open; open = open.outer) {
    if (open.isOpen && open.source === source) throw new QueryPastTransactionError();
  }
  if (innermost?.isOpen) innermost.source ??= source;
}
