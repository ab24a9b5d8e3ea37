import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../../../test/test-database.ts';
import { endLeftTransactions } from './backend-states.sql.ts';
import { APPLICATION_NAME } from './client-config.ts';
import { LeftTransactions } from './left-transactions.ts';

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('transactions left open', () => {
  // FAULT-3
  it('a transaction whose connection was lost is ended, and no other session with its pid', async () => {
    await using opened = new AsyncDisposableStack();
    const database = opened.use(await createTestDatabase());
    const connect = async () => {
      const client = new pg.Client({
        connectionString: database.url!,
        application_name: APPLICATION_NAME,
      });
      client.on('error', () => undefined);
      await client.connect();
      opened.defer(() => client.end().catch(() => undefined));
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      return { client, pid: rows[0]!.pid };
    };
    const [asking, left, idle] = [await connect(), await connect(), await connect()];
    await left.client.query('begin');
    const pids = [left.pid, idle.pid];
    await endLeftTransactions(asking.client, pids, 60);
    await left.client.query('select 1');
    const ended = new Promise<void>((resolve) => left.client.once('end', resolve));
    await endLeftTransactions(asking.client, pids, 0);
    await ended;
    await idle.client.query('select 1');
  });
});

it('transactions left open are ended as soon as the database can be reached', async () => {
  vi.useFakeTimers();
  try {
    const end = vi.fn(async () => undefined);
    end.mockRejectedValueOnce(new Error('away'));
    using transactions = new LeftTransactions(end);
    transactions.note(7, undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(end.mock.calls).toEqual([
      [[7], undefined, 1],
      [[7], undefined, 2],
    ]);
  } finally {
    vi.useRealTimers();
  }
});
