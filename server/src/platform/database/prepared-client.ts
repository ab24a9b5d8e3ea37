import pg from 'pg';
import { isStaleStatement } from './sql-errors.ts';
import { StatementNames } from './statement-names.ts';

/** COMMIT was answered by ROLLBACK: a statement had failed, and its error was swallowed. */
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
 * A pg client for a pool. Every query text that has parameters is prepared once per connection
 * under a name of its own, which spares the server parsing it again. A connection that does not
 * answer within `query_timeout` is closed rather than given back to the pool half used.
 */
export class PreparedClient extends pg.Client {
  // `unknown` and `never`: the one signature that stands for all the overloads of pg's own.
  override query(first: unknown, ...rest: unknown[]): never {
    const query = namedQuery(first, rest[0]);
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
      this.#noteFailure(error, named);
      const again = named && isStaleStatement(error) && this.getTransactionStatus() === 'I';
      if (!again) throw error;
      return await this.#send({ ...named, name: names.nameOf(named.text) }, []);
    }
  }

  #queryWithCallback(
    first: unknown,
    named: NamedQuery | undefined,
    rest: readonly unknown[],
    callback: QueryCallback,
  ): void {
    const values = named || rest.length < 2 ? [] : [rest[0]];
    const noting: QueryCallback = (error, result) => {
      if (error) this.#noteFailure(error, named);
      callback(error, result);
    };
    super.query(first as string, ...([...values, noting] as unknown as []));
  }

  #send(first: unknown, rest: readonly unknown[]): Promise<pg.QueryResult> {
    return super.query(first as string, ...(rest as []));
  }

  #noteFailure(error: unknown, named: NamedQuery | undefined): void {
    if (named && isStaleStatement(error)) names.renew(named.text);
    if (error instanceof Error && error.message === 'Query read timeout') void this.end();
  }
}

function namedQuery(first: unknown, values: unknown): NamedQuery | undefined {
  if (typeof first !== 'string' || !Array.isArray(values) || values.length === 0) return undefined;
  const name = names.nameOf(first);
  return name === undefined ? undefined : { text: first, values, name };
}

function isSubmittable(first: unknown): first is pg.Submittable {
  return typeof first === 'object' && first !== null && 'submit' in first;
}
