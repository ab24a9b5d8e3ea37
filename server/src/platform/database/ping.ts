import type pg from 'pg';
import { withinTime } from './within-time.ts';

/**
 * A round trip with a time limit. Concurrent calls share one, so that no queue builds up while the
 * database is unavailable.
 */
export function createPing(pool: pg.Pool, timeoutMs: number): () => Promise<void> {
  let underWay: Promise<unknown> | undefined;
  return async () => {
    underWay ??= pool.query('select 1').finally(() => {
      underWay = undefined;
    });
    await withinTime(underWay, timeoutMs);
  };
}
