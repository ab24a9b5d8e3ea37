import type { Socket } from 'node:net';
import pg from 'pg';
import type { DatabaseServer } from '../../../lib/database-url.ts';
import { CopyData, createCopyQuery } from '../copy-in.ts';
import { isInFailedTransaction, isStaleStatement } from '../sql-errors.ts';
import { StatementNames } from '../statement-names.ts';
import type { WatchedConnection } from './dead-connections.ts';
import { isServerChange } from './server-state.ts';

/** COMMIT returned ROLLBACK: a statement had failed and its error was swallowed. */
export class TransactionAbortedError extends Error {
  constructor() {
    super('the transaction was rolled back at its commit, because a statement in it had failed');
    this.name = 'TransactionAbortedError';
  }
}

type QueryCallback = (error: Error | null | undefined, result?: pg.QueryResult) => void;
interface NamedQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
}

const names = new StatementNames();

/**
 * A pooled pg client. Every query with parameters is prepared once per connection under a name,
 * which saves parsing. A connection that exceeds `query_timeout`, or whose server refuses writes or
 * stops, is closed rather than returned to the pool. What the server refuses because its transaction has
 * failed already rejects with the error that failed it: of several queries that were sent at once, any may
 * be the first one awaited.
 */
export class PreparedClient extends pg.Client implements WatchedConnection {
  backendPid: number | undefined;
  /** False behind poolers that keep no prepared statements. */
  preparesStatements = true;
  /** The count of doubts when its server was last found to be suitable. */
  checkedAtDoubt: number | undefined;
  onServerChange: () => void = () => undefined;
  readonly server: DatabaseServer | undefined;
  #unanswered = 0;
  #lastTurnMs = 0;
  #lastFailure: unknown;

  constructor(config?: pg.ClientConfig & { readonly server?: DatabaseServer }) {
    super(config);
    this.server = config?.server;
  }

  get waitingSinceMs(): number | undefined {
    return this.#unanswered === 0 ? undefined : this.#lastTurnMs;
  }

  get bytesRead(): number {
    return socketOf(this).bytesRead;
  }

  destroy(): void {
    socketOf(this).destroy();
  }

  // `unknown` and `never`: a signature compatible with all of pg's overloads.
  override query(first: unknown, ...rest: unknown[]): never {
    const copied = copyDataOf(rest[0]);
    if (copied !== undefined) return this.#copyIn(String(first), copied) as never;
    const query = this.preparesStatements ? namedQuery(first, rest[0]) : undefined;
    const last = rest.at(-1);
    if (typeof last === 'function') {
      return this.#queryWithCallback(query ?? first, query, rest, last as QueryCallback) as never;
    }
    if (isSubmittable(first)) return super.query(first) as never;
    return this.#queryWithPromise(query ?? first, query, rest) as never;
  }

  async #queryWithPromise(
    first: unknown,
    named: NamedQuery | undefined,
    rest: readonly unknown[],
  ): Promise<pg.QueryResult> {
    try {
      const result = await this.#send(first, named ? [] : rest);
      if (first === 'commit' && result.command === 'ROLLBACK') throw new TransactionAbortedError();
      return result;
    } catch (error) {
      this.#recordFailure(error, named);
      const again = named && isStaleStatement(error) && this.getTransactionStatus() === 'I';
      if (!again) throw this.#causeOf(error);
      return await this.#send({ ...named, name: names.nameOf(named.text) }, []);
    }
  }

  #copyIn(statement: string, data: CopyData): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    this.#queryWithCallback(createCopyQuery(statement, data), undefined, [], (error, result) => {
      if (result === undefined) reject(error ?? new Error('COPY has no result'));
      else resolve(result);
    });
    return promise;
  }

  #queryWithCallback(
    first: unknown,
    named: NamedQuery | undefined,
    rest: readonly unknown[],
    callback: QueryCallback,
  ): void {
    const values = named || rest.length < 2 ? [] : [rest[0]];
    const isWaitedFor = this.#noteQuestion(first);
    const noting: QueryCallback = (error, result) => {
      if (isWaitedFor) this.#recordResponse();
      if (error) this.#recordFailure(error, named);
      callback(error && this.#causeOf(error), result);
    };
    super.query(first as string, ...([...values, noting] as unknown as []));
  }

  async #send(first: unknown, rest: readonly unknown[]): Promise<pg.QueryResult> {
    const isWaitedFor = this.#noteQuestion(first);
    try {
      return await super.query<Record<string, unknown>>(first as string, ...(rest as []));
    } finally {
      if (isWaitedFor) this.#recordResponse();
    }
  }

  /** False for a statement with its own limit. */
  #noteQuestion(query: unknown): boolean {
    if (typeof query === 'object' && query !== null && 'query_timeout' in query) return false;
    if (this.#unanswered === 0) this.#lastTurnMs = performance.now();
    this.#unanswered += 1;
    return true;
  }

  #recordResponse(): void {
    this.#unanswered -= 1;
    this.#lastTurnMs = performance.now();
  }

  #causeOf<Failure>(error: Failure): Failure {
    if (isInFailedTransaction(error)) return (this.#lastFailure ?? error) as Failure;
    this.#lastFailure = error;
    return error;
  }

  #recordFailure(error: unknown, named: NamedQuery | undefined): void {
    if (named && isStaleStatement(error)) names.renew(named.text);
    const isLate = error instanceof Error && error.message === 'Query read timeout';
    // After a switchover, a new connection finds the primary.
    const isChange = isServerChange(error);
    if (isChange) this.onServerChange();
    if (isLate || isChange) void this.end();
  }
}

function copyDataOf(values: unknown): CopyData | undefined {
  const [only] = Array.isArray(values) ? (values as unknown[]) : [];
  return only instanceof CopyData ? only : undefined;
}

function namedQuery(first: unknown, values: unknown): NamedQuery | undefined {
  if (typeof first !== 'string' || !Array.isArray(values) || values.length === 0) return undefined;
  const name = names.nameOf(first);
  return name === undefined ? undefined : { text: first, values, name };
}

/** A private field of pg. */
function socketOf(client: pg.Client): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
    .stream;
}

function isSubmittable(first: unknown): first is pg.Submittable {
  return typeof first === 'object' && first !== null && 'submit' in first;
}
