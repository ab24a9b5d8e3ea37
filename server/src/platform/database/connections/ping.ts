import type pg from 'pg';
import { askWritable, assertWritable } from './read-only.ts';
import { withinTime } from './within-time.ts';

/**
 * A round trip with a time limit. Rejects if the database accepts no writes. Concurrent calls share one, so that no queue builds up while the
 * database is unavailable.
 */
export function createPing(pool: pg.Pool, timeoutMs: number): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return async () => {
    underWay ??= pool
      .query(askWritable)
      .then(assertWritable)
      .finally(() => {
        underWay = undefined;
      });
    await withinTime(underWay, timeoutMs);
  };
}
