import type pg from 'pg';

// Any number, but the same in every process of Podstead, and another one than that of migrations.
const SERVED_LOCK = 7_629_471_104;

/** Held by every process that serves or works, on the connection on which it listens. */
export const holdServedLock = `select pg_try_advisory_lock_shared(${SERVED_LOCK})`;

/** Whether any process serves this database or works on it, as far as it can LISTEN. */
export async function isServed(pool: pg.Pool): Promise<boolean> {
  // Nobody else can hold it now; the end of the statement releases it.
  const { rows } = await pool.query<{ served: boolean }>(
    `select not pg_try_advisory_xact_lock(${SERVED_LOCK}) as served`,
  );
  return rows[0]?.served === true;
}
