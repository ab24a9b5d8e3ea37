import type pg from 'pg';

/**
 * A round trip to the database, bounded in time. Whoever asks while one is under way waits for
 * that one, so that no queue builds up before a database that is away.
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

async function withinTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer from the database in ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
