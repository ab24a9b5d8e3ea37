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
