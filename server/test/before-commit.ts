import { expect, vi } from 'vitest';
import type { TestContext } from './create-test-context.ts';
import { patience } from './patience.ts';

/**
 * Begins `work` while another connection has run the statements with the id of a podcast as $1, and commits
 * them when `work` waits for their rows. For PostgreSQL.
 */
export async function beforeCommit<T>(
  { database: { pool } }: Pick<TestContext, 'database'>,
  podcastId: string,
  statements: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const other = await pool.connect();
  try {
    await other.query('begin');
    for (const statement of statements) await other.query(statement, [podcastId]);
    const working = Promise.allSettled([work()]);
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await vi.waitFor(async () => {
      expect((await pool.query(waiting)).rowCount).toBe(1);
    }, patience);
    await other.query('commit');
    const [outcome] = await working;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  } finally {
    other.release();
  }
}
