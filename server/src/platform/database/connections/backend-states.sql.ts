import type pg from 'pg';

/** The state of each connection's server process by pid; connections without one are gone. */
export type BackendStates = ReadonlyMap<number, string | null>;

export async function selectBackendStates(
  client: pg.ClientBase,
  pids: readonly number[],
): Promise<BackendStates> {
  const { rows } = await client.query<{ pid: number; state: string | null }>(
    'select pid, state from pg_stat_activity where pid = any($1::int[])',
    [pids],
  );
  return new Map(rows.map(({ pid, state }) => [pid, state]));
}

/**
 * Ends transactions of ours whose connection was lost so many seconds ago. A session that has begun since,
 * or whose transaction continues, is another one that got the same pid.
 */
export async function endLeftTransactions(
  client: pg.ClientBase,
  pids: readonly number[],
  lostSecondsAgo: number,
): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = any($1::int[]) and state like 'idle in transaction%'
       and datname = current_database() and usename = current_user
       and application_name = current_setting('application_name')
       and greatest(backend_start, state_change) <= clock_timestamp() - make_interval(secs => $2)`,
    [pids, lostSecondsAgo],
  );
}
