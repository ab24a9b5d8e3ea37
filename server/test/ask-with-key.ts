import type { Response } from 'light-my-request';
import type { TestApp } from './create-test-app.ts';

/** Sends a request with a key. */
export function askWithKey(
  app: TestApp,
  key: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const authorization = `Bearer ${key}`;
  return app.request({ method: 'GET', url, headers: { authorization, ...headers } });
}

/**
 * Counts the statements that `work` sends to the database, by the connections that it takes.
 * Returns the minimum of three runs, because uses of keys are written at other times than the
 * requests.
 */
export async function countStatements(app: TestApp, work: () => Promise<unknown>): Promise<number> {
  const runs = [];
  for (let run = 0; run < 3; run += 1) runs.push(await countOnce(app, work));
  return Math.min(...runs);
}

async function countOnce(app: TestApp, work: () => Promise<unknown>): Promise<number> {
  let statements = 0;
  const count = () => {
    statements += 1;
  };
  const { pool } = app.database;
  pool.on('acquire', count);
  await work().finally(() => pool.off('acquire', count));
  return statements;
}
